// SPDX-License-Identifier: MIT
// The light body of host.cpp held by the LuGre friction of MuJoCo's dcmotor, whose motor constant is
// too small to matter. MuJoCo starts again from rest where numbers become huge: "diverges".
import load from '@mujoco/mujoco';

const mujoco = await load();

function model(h, stiffness, damping, integrator) {
  return mujoco.MjModel.from_xml_string(`<mujoco>
    <option timestep="${h}" gravity="0 0 0" integrator="${integrator}"/>
    <worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
      <geom type="sphere" size="0.01" mass="0.01" contype="0" conaffinity="0"/></body></worldbody>
    <actuator><dcmotor joint="x" motorconst="1e-9" resistance="1e6"
      lugre="${stiffness} ${damping} 0.0981 0.0981 0.01"/></actuator></mujoco>`);
}

function residualSpeed(h, stiffness, damping, integrator) {
  const m = model(h, stiffness, damping, integrator), d = new mujoco.MjData(m);
  const steps = Math.round(2 / h);
  let largest = 0;
  for (let k = 0; k < steps; ++k) {
    d.qfrc_applied[0] = 0.05;
    mujoco.mj_step(m, d);
    if (d.time < h * (k + 0.5)) return 'diverges';
    if (k * h >= 1.9) largest = Math.max(largest, Math.abs(d.qvel[0]));
  }
  return largest.toExponential(1);
}

for (const integrator of ['Euler', 'implicitfast', 'implicit', 'RK4'])
  for (const [stiffness, damping] of [[1e4, 1], [1e4, 64.5], [1e5, 63]]) {
    const name = `  MuJoCo ${integrator} ${stiffness.toExponential()}, ${damping}`.padEnd(32);
    console.log(name + [1e-3, 2e-3, 5e-3]
      .map(h => residualSpeed(h, stiffness, damping, integrator).padStart(10)).join(' '));
  }
