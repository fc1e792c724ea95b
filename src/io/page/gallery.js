// Filters, search, disclosure of claims, and the colour scheme.
"use strict";
(() => {
  const one = (q) => document.querySelector(q), all = (q, from = document) => [...from.querySelectorAll(q)];

  // Light or dark: as the system has it until somebody chooses.
  const root = document.documentElement, toggle = one("#scheme");
  const dark = () => root.dataset.scheme ? root.dataset.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { toggle.textContent = dark() ? "Light" : "Dark"; toggle.setAttribute("aria-label", "Switch to " + (dark() ? "light" : "dark") + " colours"); };
  try { if (localStorage.bristleScheme) root.dataset.scheme = localStorage.bristleScheme; } catch (e) { /* no storage: the system decides */ }
  toggle.addEventListener("click", () => {
    root.dataset.scheme = dark() ? "light" : "dark";
    try { localStorage.bristleScheme = root.dataset.scheme; } catch (e) { /* as above */ }
    name();
  });
  name();

  for (const b of all("button.copy")) b.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(b.previousElementSibling.textContent); b.textContent = "copied"; }
    catch (e) { getSelection().selectAllChildren(b.previousElementSibling); }
  });

  const form = one("#filter");
  if (!form) return;
  const groups = all("#summary tbody"), sections = all("main .experiment[data-words]"), said = one("#matches"), none = one("#none");
  const open = (body, yes) => {
    body.classList.toggle("open", yes);
    const b = one(`#${CSS.escape(body.id)} button.more`);
    if (b) b.setAttribute("aria-expanded", yes);
  };
  for (const body of groups) {
    const b = body.querySelector("button.more");
    if (b) b.addEventListener("click", () => open(body, !body.classList.contains("open")));
  }
  one("#unfold").addEventListener("click", (e) => {
    const yes = e.target.getAttribute("aria-pressed") !== "true";
    e.target.setAttribute("aria-pressed", yes);
    for (const body of groups) open(body, yes);
  });

  const text = new Map(sections.map((s) => [s.id, (s.dataset.words + " " + s.id).toLowerCase()]));
  const apply = () => {
    const wanted = {document: form.document.value, model: form.model.value, kind: form.kind.value, verdict: form.verdict.value};
    const asked = Boolean(wanted.kind || wanted.verdict);
    // A fact is "kind:verdict".
    const meant = (fact) => (!wanted.kind || fact.startsWith(wanted.kind + ":")) && (!wanted.verdict || fact.endsWith(":" + wanted.verdict));
    const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const s of sections) {
      const d = s.dataset;
      const yes = (!wanted.document || d.document === wanted.document) &&
        (!wanted.model || d.models.split(" ").includes(wanted.model)) &&
        (!asked || d.facts.split("|").some(meant)) &&
        words.every((w) => text.get(s.id).includes(w));
      s.hidden = !yes;
      const body = document.getElementById("row-" + s.id);
      body.hidden = !yes;
      if (yes) count++;
      // The claims asked for are shown, the others not.
      for (const row of all("tr.claim", body)) row.classList.toggle("other", asked && !meant(row.dataset.fact));
      if (asked) open(body, true);
    }
    said.textContent = `${count} of ${sections.length} experiments`;
    none.hidden = count > 0;
  };

  // The filters stand in the address, so that a view can be kept and sent: #model=dahl&kind=check.
  const names = ["search", "document", "model", "kind", "verdict"];
  const write = () => {
    const set = new URLSearchParams();
    for (const n of names) if (form[n].value) set.set(n, form[n].value);
    const text = set.toString();
    if (text || location.hash.includes("=")) history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  };
  const read = () => {
    if (!location.hash.includes("=")) return false;
    const set = new URLSearchParams(location.hash.slice(1));
    for (const n of names) form[n].value = set.get(n) || "";
    apply();
    return true;
  };
  const changed = () => { apply(); write(); };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (e) => e.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { for (const b of groups) open(b, false); changed(); }));
  // A count on top is a filter, too.
  for (const b of all("[data-pick]")) b.addEventListener("click", () => {
    const again = form.verdict.value === b.dataset.pick && form.kind.value === b.dataset.kind;
    form.verdict.value = again ? "" : b.dataset.pick;
    form.kind.value = again ? "" : b.dataset.kind;
    changed();
    form.scrollIntoView({block: "start"});
  });
  // A link to a section that is filtered away shows it.
  const shown = () => {
    if (read()) return;
    const s = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (s && s.hidden) { form.reset(); setTimeout(() => s.scrollIntoView(), 20); }
    const d = s && s.closest("details");
    if (d) d.open = true;
  };
  addEventListener("hashchange", shown);
  apply();
  shown();
})();
