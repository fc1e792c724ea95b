// Figures drawn as SVG from packed curves. Drag a box, press + and -, or turn the wheel with Ctrl to zoom; hover,
// touch or walk with the arrow keys to read values; 0 or a double click shows everything again.
"use strict";
const figures = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const make = (name, attributes, parent, text) => {
    const e = document.createElementNS(NS, name);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  };
  // A number as people write it, with as many digits as asked for.
  const say = (v, digits = 5) => {
    if (!isFinite(v)) return "";
    if (v === 0 || Math.abs(v) < 1e-300) return "0";
    const a = Math.abs(v);
    let s = a >= 1e5 || a < 1e-3 ? v.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
                                 : String(Number(v.toPrecision(digits)));
    return s.replace("-", "\u2212").replace("e-", "e\u2212");
  };
  // Each point is two 16-bit numbers; 65535 is a gap.
  const unpack = (c) => {
    const raw = atob(c.data || ""), n = raw.length >> 2, xs = new Float64Array(n), ys = new Float64Array(n);
    const part = (i) => { const k = raw.charCodeAt(i) | raw.charCodeAt(i + 1) << 8; return k === 65535 ? NaN : k / 65534; };
    const [x0, x1, y0, y1] = c.box || [0, 1, 0, 1];
    for (let i = 0; i < n; i++) {
      xs[i] = x0 + (x1 - x0) * part(4 * i);
      ys[i] = y0 + (y1 - y0) * part(4 * i + 2);
    }
    return {xs, ys};
  };
  const ticks = (low, high, count, log) => {
    const out = [];
    if (log && high - low > 0.9) {
      const step = Math.max(1, Math.ceil((high - low) / count));
      for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k += step) out.push(k);
      return out;
    }
    if (log) return ticks(10 ** low, 10 ** high, count, false).filter((v) => v > 0).map(Math.log10);
    const rough = (high - low) / count, unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find((m) => m * unit >= rough * 0.999);
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) out.push(k * step);
    return out;
  };

  function start(box) {
    const spec = JSON.parse(box.querySelector("script").textContent);
    const curves = spec.curves.map((c) => Object.assign(unpack(c), {label: c.label, kind: c.kind, on: true}));
    let colour = 0;
    // A dashed curve without a label belongs to the one before it.
    const follows = (c, i) => i > 0 && !c.label && c.kind === "dashed" && curves[i - 1].kind === "dashed";
    for (const [i, c] of curves.entries()) c.colour = follows(c, i) ? curves[i - 1].colour : ["line", "dashed", "points", "dots", "envelope"].includes(c.kind) ? colour++ % 7 : -1;
    const stage = document.createElement("div");
    stage.className = "stage";
    box.insertBefore(stage, box.querySelector("script"));
    const tip = document.createElement("output");
    tip.className = "tip";
    tip.hidden = true;
    let svg, view, area, cursor = null, scale;

    const whole = () => {
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      const range = (given, low, high, log) => [0, 1].map((k) => {
        const v = given && given[k];
        return v === null || v === undefined ? [low, high][k] : log ? Math.log10(v) : v;
      });
      // What lies beside a given range does not count.
      const [least, most] = range(spec.x_range, -Infinity, Infinity, spec.log[0]);
      for (const c of curves) if (c.on) for (let i = 0; i < c.xs.length; i++) {
        if (!(c.xs[i] >= least && c.xs[i] <= most)) continue;
        x0 = Math.min(x0, c.xs[i]); x1 = Math.max(x1, c.xs[i]);
        y0 = Math.min(y0, c.ys[i]); y1 = Math.max(y1, c.ys[i]);
      }
      if (!(x0 <= x1)) [x0, x1, y0, y1] = [0, 1, 0, 1];
      const tiny = (a, b) => (b - a) || Math.abs(a) * 0.1 || 1;
      const dx = tiny(x0, x1) * 0.02, dy = tiny(y0, y1) * 0.05;
      [x0, x1] = range(spec.x_range, x0 - dx, x1 + dx, spec.log[0]);
      [y0, y1] = range(spec.y_range, y0 - dy, y1 + dy, spec.log[1]);
      return {x0, x1, y0, y1};
    };
    const px = (x) => area.l + (x - view.x0) / (view.x1 - view.x0) * area.w;
    const py = (y) => area.t + area.h - (y - view.y0) / (view.y1 - view.y0) * area.h;
    const ux = (p) => view.x0 + (p - area.l) / area.w * (view.x1 - view.x0);
    const uy = (p) => view.y0 + (area.t + area.h - p) / area.h * (view.y1 - view.y0);
    const real = (v, k) => spec.log[k] ? 10 ** v : v;

    // Both axes in one scale: the narrower range grows.
    const evened = () => {
      if (!spec.equal) return;
      const sx = (view.x1 - view.x0) / area.w, sy = (view.y1 - view.y0) / area.h, s = Math.max(sx, sy);
      const grow = (a, b, n) => { const m = (a + b) / 2; return [m - s * n / 2, m + s * n / 2]; };
      [view.x0, view.x1] = grow(view.x0, view.x1, area.w);
      [view.y0, view.y1] = grow(view.y0, view.y1, area.h);
    };
    // Curves that lie over each other are drawn thick to thin; the last two have gaps, through which
    // the ones below are seen.
    const lines = curves.filter((c) => c.kind === "line").length;
    const look = (c) => {
      if (c.kind === "dashed") return {dash: "7 4"};
      if (!spec.overlay || c.kind !== "line") return {};
      const at = Math.min(3, c.colour + Math.max(0, 4 - lines));
      return {width: [6.5, 4.4, 2.8, 1.5][at], dash: lines < 2 || (lines < 3 && at === 2) ? null : [null, null, "22 12", "9 6"][at]};
    };
    const path = (c) => {
      let d = "", pen = false;
      for (let i = 0; i < c.xs.length; i++) {
        if (!(c.xs[i] === c.xs[i])) { pen = false; continue; }
        d += (pen ? "L" : "M") + px(c.xs[i]).toFixed(1) + " " + py(c.ys[i]).toFixed(1);
        pen = true;
      }
      return d + (c.kind === "band" || c.kind === "envelope" ? "Z" : "");
    };

    function draw() {
      const w = Math.max(240, stage.clientWidth), h = Math.round(Math.min(440, Math.max(230, w * 0.64)));
      const label = (v, k) => say(real(v, k), 6);
      area = {l: 56, t: 10, w: w - 56 - 12, h: h - 10 - 44};
      evened();
      const ty = ticks(view.y0, view.y1, area.h / 52, spec.log[1]);
      const wide = Math.max(0, ...ty.map((v) => label(v, 1).length));
      area.l = Math.max(44, 30 + 6.6 * wide);
      area.w = w - area.l - 14;
      const tx = ticks(view.x0, view.x1, Math.max(2, area.w / 84), spec.log[0]);
      if (svg) svg.remove();
      svg = make("svg", {viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "img", "aria-label": spec.alt}, null);
      const id = "clip" + (draw.count = (draw.count || 0) + 1) + Math.random().toString(36).slice(2, 8);
      make("rect", {x: area.l, y: area.t, width: area.w, height: area.h}, make("clipPath", {id}, make("defs", {}, svg)));
      const grid = make("g", {class: "grid"}, svg), words = make("g", {class: "words"}, svg);
      for (const v of tx) {
        make("path", {d: `M${px(v)} ${area.t}v${area.h}`}, grid);
        make("text", {x: px(v), y: area.t + area.h + 16, "text-anchor": "middle"}, words, label(v, 0));
      }
      for (const v of ty) {
        make("path", {d: `M${area.l} ${py(v)}h${area.w}`}, grid);
        make("text", {x: area.l - 6, y: py(v) + 4, "text-anchor": "end"}, words, label(v, 1));
      }
      make("text", {x: area.l + area.w / 2, y: h - 6, "text-anchor": "middle", class: "axis"}, words, spec.x);
      make("text", {transform: `translate(13 ${area.t + area.h / 2}) rotate(-90)`, "text-anchor": "middle", class: "axis"},
           words, spec.y);
      const drawn = make("g", {"clip-path": `url(#${id})`}, svg);
      for (const c of curves) {
        if (!c.on) continue;
        const kind = c.colour < 0 ? c.kind : (c.kind === "dashed" ? "line dashed c" : c.kind === "envelope" ? "line envelope c" : "line c") + c.colour;
        // Marks alone are not joined.
        const line = c.kind === "dots" ? null : make("path", {d: path(c), class: kind}, drawn);
        const own = look(c);
        if (line && own.width) line.style.strokeWidth = own.width;
        if (line && own.dash) line.style.strokeDasharray = own.dash;
        if (c.kind === "points" || c.kind === "dots") for (let i = 0; i < c.xs.length; i++)
          if (c.xs[i] === c.xs[i]) make("circle", {cx: px(c.xs[i]), cy: py(c.ys[i]), r: c.kind === "dots" ? 1.6 : 3, class: "dot c" + c.colour}, drawn);
      }
      make("path", {d: `M${area.l} ${area.t}v${area.h}h${area.w}`, class: "frame"}, svg);
      cursor = make("circle", {r: 4.5, class: "cursor", visibility: "hidden"}, svg);
      stage.insertBefore(svg, stage.firstChild);
    }

    // The nearest place on any curve, between its points too.
    function near(x, y) {
      let best = {d: Infinity};
      for (const c of curves) {
        if (!c.on || c.kind === "band") continue;
        for (let i = 0; i < c.xs.length; i++) {
          const bx = px(c.xs[i]), by = py(c.ys[i]);
          if (!(bx === bx)) continue;
          let ax = bx, ay = by;
          if (i > 0 && c.xs[i - 1] === c.xs[i - 1] && c.kind !== "points" && c.kind !== "dots") { ax = px(c.xs[i - 1]); ay = py(c.ys[i - 1]); }
          const vx = bx - ax, vy = by - ay, n = vx * vx + vy * vy;
          const t = n ? Math.min(1, Math.max(0, ((x - ax) * vx + (y - ay) * vy) / n)) : 0;
          const qx = ax + t * vx, qy = ay + t * vy, d = Math.hypot(qx - x, qy - y);
          if (d < best.d) best = {d, x: qx, y: qy, c, i};
        }
      }
      return best;
    }
    function point(at) {
      if (!at || !(at.d < 60)) { tip.hidden = true; cursor.setAttribute("visibility", "hidden"); return; }
      cursor.setAttribute("cx", at.x);
      cursor.setAttribute("cy", at.y);
      cursor.setAttribute("visibility", "visible");
      tip.hidden = false;
      const name = (text) => text.replace(/ \[.*\]$/, "").slice(0, 40), unit = (text) => (/\[(.*)\]$/.exec(text) || ["", ""])[1];
      tip.textContent = (at.c.label ? at.c.label + "\n" : "") +
        `${name(spec.x)} ${say(real(ux(at.x), 0))} ${unit(spec.x)}\n${name(spec.y)} ${say(real(uy(at.y), 1))} ${unit(spec.y)}`;
      const left = at.x > stage.clientWidth / 2;
      tip.style.left = left ? "" : at.x + 12 + "px";
      tip.style.right = left ? stage.clientWidth - at.x + 12 + "px" : "";
      tip.style.top = Math.max(0, at.y - 20) + "px";
    }
    const place = (e) => { const r = svg.getBoundingClientRect(); return [(e.clientX - r.left) * area_scale(r), (e.clientY - r.top) * area_scale(r)]; };
    const area_scale = (r) => svg.viewBox.baseVal.width / r.width;
    const zoom = (factor, x = area.l + area.w / 2, y = area.t + area.h / 2) => {
      const cx = ux(x), cy = uy(y);
      view = {x0: cx + (view.x0 - cx) * factor, x1: cx + (view.x1 - cx) * factor,
              y0: cy + (view.y0 - cy) * factor, y1: cy + (view.y1 - cy) * factor};
      draw(); point(null);
    };
    const reset = () => { view = whole(); draw(); point(null); };

    let from = null, frame = null;
    stage.addEventListener("pointerdown", (e) => {
      if (e.pointerType !== "mouse" || e.button !== 0) { point(near(...place(e))); return; }
      from = place(e);
      frame = make("rect", {class: "box"}, svg);
    });
    stage.addEventListener("pointermove", (e) => {
      const at = place(e);
      if (!from) return point(near(...at));
      for (const [k, v] of [["x", Math.min(from[0], at[0])], ["y", Math.min(from[1], at[1])],
                            ["width", Math.abs(at[0] - from[0])], ["height", Math.abs(at[1] - from[1])]]) frame.setAttribute(k, v);
    });
    const release = (e) => {
      if (!from) return;
      const a = from, b = place(e);
      from = null;
      frame.remove();
      if (Math.abs(a[0] - b[0]) < 8 || Math.abs(a[1] - b[1]) < 8) return;
      view = {x0: ux(Math.min(a[0], b[0])), x1: ux(Math.max(a[0], b[0])), y0: uy(Math.max(a[1], b[1])), y1: uy(Math.min(a[1], b[1]))};
      draw();
    };
    window.addEventListener("pointerup", release);
    stage.addEventListener("pointerleave", () => point(null));
    stage.addEventListener("dblclick", reset);
    stage.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoom(e.deltaY > 0 ? 1.2 : 1 / 1.2, ...place(e));
    }, {passive: false});

    // Keys: the arrows walk along a curve, up and down change it.
    let walk = null;
    const walkable = () => curves.filter((c) => c.on && c.kind !== "band" && c.xs.length);
    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", spec.title + ": plus and minus zoom, arrows read values, 0 shows all");
    stage.addEventListener("keydown", (e) => {
      const some = walkable();
      if (e.key === "+" || e.key === "=") zoom(1 / 1.4);
      else if (e.key === "-") zoom(1.4);
      else if (e.key === "0" || e.key === "Escape") reset();
      else if (e.key.startsWith("Arrow") && some.length) {
        walk = walk || {c: 0, i: 0};
        if (e.key === "ArrowDown") walk.c = (walk.c + 1) % some.length;
        if (e.key === "ArrowUp") walk.c = (walk.c + some.length - 1) % some.length;
        const c = some[walk.c % some.length], step = Math.max(1, Math.round(c.xs.length / 100));
        walk.i = Math.min(c.xs.length - 1, Math.max(0, walk.i + (e.key === "ArrowRight" ? step : e.key === "ArrowLeft" ? -step : 0)));
        while (walk.i > 0 && !(c.xs[walk.i] === c.xs[walk.i])) walk.i--;
        point({d: 0, x: px(c.xs[walk.i]), y: py(c.ys[walk.i]), c});
      } else return;
      e.preventDefault();
    });
    stage.addEventListener("blur", () => point(null));

    // Below: a legend that hides and shows, and tools.
    const bar = document.createElement("div");
    bar.className = "tools";
    const button = (text, title, act, parent = bar) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = text;
      b.title = title;
      b.setAttribute("aria-label", title);
      b.addEventListener("click", () => act(b));
      parent.appendChild(b);
      return b;
    };
    button("+", "Zoom in", () => zoom(1 / 1.4));
    button("\u2212", "Zoom out", () => zoom(1.4));
    button("all", "Show the whole figure", reset);
    button("data", "Save the curves as drawn as CSV", () => {
      let text = "curve,x,y\n";
      for (const c of curves) for (let i = 0; i < c.xs.length; i++)
        if (c.xs[i] === c.xs[i]) text += `"${c.label.replace(/"/g, '""')}",${Number(real(c.xs[i], 0).toPrecision(6))},${Number(real(c.ys[i], 1).toPrecision(6))}\n`;
      const a = document.createElement("a");
      a.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
      a.download = spec.name + ".csv";
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 1000);
    });
    const legend = document.createElement("div");
    legend.className = "legend";
    if (curves.length > 1 || (curves[0] && curves[0].label)) for (const [i, c] of curves.entries()) {
      if (follows(c, i)) continue;
      const b = button(c.label || "simulation", "Show or hide " + (c.label || "the curve"), () => {
        c.on = !c.on;
        for (let k = i + 1; k < curves.length && follows(curves[k], k); k++) curves[k].on = c.on;
        b.setAttribute("aria-pressed", c.on);
        draw();
      }, legend);
      const own = look(c);
      b.className = (c.colour < 0 ? c.kind : "c" + c.colour) + (own.dash ? " gaps" : "");
      if (own.width) b.style.setProperty("--thick", own.width + "px");
      b.setAttribute("aria-pressed", true);
    }
    stage.after(legend, bar);
    stage.appendChild(tip);
    view = whole();
    draw();
    let width = stage.clientWidth;
    new ResizeObserver(() => {
      if (stage.clientWidth === width) return;
      width = stage.clientWidth;
      draw(); point(null);
    }).observe(stage);
    box.classList.add("drawn");
  }
  // A figure is drawn when it comes near the window.
  const watch = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting && !e.target.classList.contains("drawn")) {
      watch.unobserve(e.target);
      start(e.target);
    }
  }, {rootMargin: "400px"});
  for (const box of document.querySelectorAll(".plot")) watch.observe(box);
  // On paper there is no window: all of them are drawn before a page is printed.
  window.addEventListener("beforeprint", () => {
    for (const box of document.querySelectorAll(".plot:not(.drawn)")) watch.unobserve(box), start(box);
  });
  return {start};
})();
