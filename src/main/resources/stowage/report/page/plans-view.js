// Two plans above each other. The view of one plan draws each half; its bands are the two plans.
let chosen = [0, Math.min(1, data.plans.length - 1)];
const inMain = (plan, i) => (plan.memory ? plan.memory[i] : data.mainMemory) === data.mainMemory;
const pair = () => chosen.map((k) => data.plans[k]);
const highest = () => Math.max(1, data.lowerBound, ...pair().map((plan) => plan.peak)) * 1.045;
const gapOf = (plan) => data.lowerBound > 0 ? (plan.peak - data.lowerBound) / data.lowerBound : NaN;
const percent = (value) => Number.isNaN(value) ? '' : value === 0 ? '0 %' : (100 * value).toFixed(value < 0.1 ? 2 : 1) + ' %';
const half = () => (height - TOP - BOTTOM - 30) / 2;
const topOfHalf = (k) => TOP + k * (half() + 30);
const yOf = (k, address) => topOfHalf(k) + half() * (1 - (address - view.a0) / (view.a1 - view.a0));

function wholePair() { return {t0: data.steps[0], t1: data.steps[1], a0: 0, a1: highest()}; }
function drawPair() {
  brush.fillStyle = inkOf.ground;
  brush.fillRect(0, 0, width, height);
  pair().forEach((plan, k) => drawHalf(plan, pair()[1 - k], k));
  const bottom = topOfHalf(1) + half();
  for (const tick of stepTicks(view.t0, view.t1, Math.max(2, Math.min(10, plotWidth() / 70)))) {
    brush.fillStyle = inkOf.soft;
    brush.fillRect(x(tick), bottom, 1, 4);
    text(exact(tick), x(tick), bottom + 16, tick === view.t1 && isNarrow() ? 'right' : 'center', inkOf.soft);
  }
  text('step', LEFT + plotWidth() / 2, bottom + 31, 'center', inkOf.soft);
}
function clipHalf(k) {
  brush.save();
  brush.beginPath();
  brush.rect(LEFT, topOfHalf(k), plotWidth(), half());
  brush.clip();
}
function drawHalf(plan, other, k) {
  const top = topOfHalf(k);
  brush.lineWidth = 1;
  brush.fillStyle = inkOf.panel;
  brush.fillRect(LEFT, top, plotWidth(), half());
  for (const tick of byteTicks(view.a0, view.a1, Math.max(2, half() / 40))) {
    brush.fillStyle = inkOf.grid;
    brush.fillRect(LEFT, yOf(k, tick), plotWidth(), 1);
    text(tick === 0 ? '0' : human(tick), LEFT - 7, yOf(k, tick) + 4, 'right', inkOf.soft);
  }
  clipHalf(k);
  const labels = [], above = [];
  let fill = null, alpha = 1;
  for (let i = 0; i < count; i++) {
    if (!inMain(plan, i) || !drawn(i) || data.lower[i] > view.t1 || data.upper[i] < view.t0) continue;
    const base = plan.offset[i];
    if (base > view.a1 || base + data.size[i] < view.a0) continue;
    const [colour, ink] = classes.colours[classes.classOf[i]];
    if (colour !== fill) brush.fillStyle = fill = colour;
    const faded = filtered >= 0 && classes.classOf[i] !== filtered;
    if ((faded ? 0.13 : 1) !== alpha) brush.globalAlpha = alpha = faded ? 0.13 : 1;
    for (const [start, end, low, high] of shapes[i]) {
      const left = x(start), upper = yOf(k, base + high), wide = x(end) - left, tall = yOf(k, base + low) - upper;
      brush.fillRect(left, upper, Math.max(0.4, wide - (wide > 2.5 ? 0.6 : 0)), Math.max(0.4, tall - (tall > 2.5 ? 0.6 : 0)));
      if (wide > 13 && tall > 9 && !faded) labels.push([i, left, upper, wide, tall, ink]);
      if (data.lowerBound > 0 && base + data.size[i] > data.lowerBound) above.push([left, upper, wide, tall]);
    }
  }
  brush.globalAlpha = 1;
  brush.strokeStyle = inkOf.clash;
  brush.lineWidth = 1.4;
  for (const [left, upper, wide, tall] of above.filter((r) => r[2] > 3 && r[3] > 3)) brush.strokeRect(left + 0.7, upper + 0.7, Math.max(0, wide - 1.8), Math.max(0, tall - 1.8));
  for (const label of labels) labelIn(k, ...label);
  for (const [i, line] of [[pinned, 2.6], [hovered, 1.8]]) {
    if (i < 0 || !inMain(plan, i)) continue;
    brush.strokeStyle = inkOf.hover;
    brush.lineWidth = line;
    for (const [start, end, low, high] of shapes[i]) {
      const upper = yOf(k, plan.offset[i] + high);
      brush.strokeRect(x(start), upper, x(end) - x(start), yOf(k, plan.offset[i] + low) - upper);
    }
  }
  if (plan.peak > data.lowerBound && data.lowerBound > 0) hatch(k, plan);
  brush.restore();
  brush.strokeStyle = inkOf.line;
  brush.lineWidth = 1;
  brush.strokeRect(LEFT + 0.5, top + 0.5, plotWidth() - 1, half() - 1);
  for (const [name, bytes, colour, dash] of [['peak', plan.peak, 'peak', []], ['bound', data.lowerBound, 'bound', [6, 3]]]) {
    const both0 = plan.peak === data.lowerBound;
    if (bytes <= 0 || bytes < view.a0 || bytes > view.a1 || (both0 && name === 'bound')) continue;
    brush.strokeStyle = inkOf[colour];
    brush.lineWidth = 1.4;
    brush.setLineDash(dash);
    brush.beginPath();
    brush.moveTo(LEFT, yOf(k, bytes));
    brush.lineTo(width - RIGHT, yOf(k, bytes));
    brush.stroke();
    brush.setLineDash([]);
    if (isNarrow()) {
      text((both0 ? 'peak = bound ' : name + ' ') + human(bytes), width - RIGHT - 4, yOf(k, bytes) + (name === 'bound' ? 12 : -4), 'right', inkOf[colour], 'bold 11px');
      continue;
    }
    const near = Math.abs(yOf(k, plan.peak) - yOf(k, data.lowerBound)) < 28 && !both0;
    const at = yOf(k, bytes) + (near ? name === 'peak' ? -6 : 22 : 0);
    text(both0 ? 'peak = bound' : name, width - RIGHT + 8, at - 1, 'left', inkOf[colour], 'bold 11px');
    text(human(bytes), width - RIGHT + 8, at + 12, 'left', inkOf.ink);
  }
  const gap = gapOf(plan);
  const said = Number.isNaN(gap) ? '' : gap === 0 ? ': optimal' : ': ' + percent(gap) + ' above the bound';
  let name = plan.name;
  brush.font = 'bold 12px ' + FONT;
  while (name.length > 8 && brush.measureText('A  ' + name + said).width > width - LEFT) name = '…' + name.slice(2);
  text((k === 0 ? 'A  ' : 'B  ') + name + said, LEFT, top - 7, 'left', inkOf.ink, 'bold 12px');
}
/** Labels clip themselves to the map; here the map is one half. */
function labelIn(k, i, left, upper, wide, tall, ink) {
  const from = Math.max(left, LEFT), to = Math.min(left + wide, width - RIGHT);
  const high = Math.max(upper, topOfHalf(k)), low = Math.min(upper + tall, topOfHalf(k) + half());
  if (to - from < 14 || low - high < 10) return;
  brush.font = '10px ' + FONT;
  const id = shortName[i], long = brush.measureText(id.slice(0, 200)).width;
  const middle = (high + low) / 2, line = yOf(k, data.lowerBound);
  const under = Math.abs(line - middle) > 7 ? middle // the bound's line does not run through a name
      : low - line > 14 ? line + 8 : line - high > 14 ? line - 8 : NaN;
  if (long <= to - from - 4 && under) text(id, (from + to) / 2, under + 3.5, 'center', ink, '10px');
}
function hatch(k, plan) {
  const top = yOf(k, plan.peak), bottom = yOf(k, data.lowerBound);
  brush.strokeStyle = inkOf.peak;
  brush.lineWidth = 0.8;
  brush.save();
  brush.beginPath();
  brush.rect(LEFT, top, plotWidth(), bottom - top);
  brush.clip();
  brush.globalAlpha = 0.55;
  brush.beginPath();
  for (let at = LEFT - (bottom - top); at < width - RIGHT; at += 9) {
    brush.moveTo(at, bottom);
    brush.lineTo(at + (bottom - top), top);
  }
  brush.stroke();
  brush.globalAlpha = 1;
  brush.restore();
}
draw = drawPair;
let remembering = 0;
function rememberState() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const state = new URLSearchParams({upper: pair()[0].name, lower: pair()[1].name}), whole = wholePair();
    if (view.t0 !== whole.t0 || view.t1 !== whole.t1) state.set('t', view.t0.toFixed(2) + ',' + view.t1.toFixed(2));
    if (view.a0 !== whole.a0 || view.a1 !== whole.a1) state.set('a', Math.round(view.a0) + ',' + Math.round(view.a1));
    try { history.replaceState(null, '', '#' + state); } catch (refused) { /* opened where the address cannot change */ }
  }, 150);
}
function restorePair() {
  const state = new URLSearchParams(location.hash.slice(1));
  ['upper', 'lower'].forEach((side, k) => {
    const at = data.plans.findIndex((plan) => plan.name === state.get(side));
    if (at >= 0) chosen[k] = at;
  });
  view = wholePair();
  for (const [name, low, high] of [['t', 't0', 't1'], ['a', 'a0', 'a1']]) {
    const [from, to] = (state.get(name) || '').split(',').map(Number);
    if (from < to) { view[low] = from; view[high] = to; }
  }
  clampPair();
}

function resizePair() {
  if (canvas.clientWidth === 0) return; // not shown at the moment
  width = canvas.clientWidth;
  height = Math.max(560, Math.min(900, Math.round(window.innerHeight * 0.8)));
  fitCanvas(canvas, width, height);
  setMargins();
  draw();
}
function clampPair() {
  const whole = wholePair();
  for (const [low, high] of [['t0', 't1'], ['a0', 'a1']]) {
    const span = Math.min(view[high] - view[low], whole[high] - whole[low]);
    view[low] = Math.max(whole[low], Math.min(view[low], whole[high] - span));
    view[high] = view[low] + span;
  }
}
const halfAt = (py) => py < topOfHalf(1) - 15 ? 0 : 1;
const addressIn = (k, py) => view.a0 + (1 - (py - topOfHalf(k)) / half()) * (view.a1 - view.a0);
const tip = element('tip');
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
  const factor = Math.exp(Math.sign(event.deltaY || event.deltaX) * 0.18);
  const step = stepAt(px), address = addressIn(halfAt(py), py);
  if (!event.altKey) view = {...view, t0: step - (step - view.t0) * factor, t1: step + (view.t1 - step) * factor};
  if (!event.shiftKey) view = {...view, a0: address - (address - view.a0) * factor, a1: address + (view.a1 - address) * factor};
  clampPair();
  schedule();
}, {passive: false});
let drag = null;
canvas.addEventListener('pointerdown', (event) => { drag = {px: event.clientX, py: event.clientY, view}; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener('pointerup', (event) => {
  const still = drag && Math.hypot(event.clientX - drag.px, event.clientY - drag.py) < 4;
  drag = null;
  if (still) { pinned = pinned === hovered ? -1 : hovered; schedule(); }
});
canvas.addEventListener('pointermove', (event) => {
  if (drag) {
    const steps = (event.clientX - drag.px) / plotWidth() * (view.t1 - view.t0);
    const bytes = (event.clientY - drag.py) / half() * (view.a1 - view.a0);
    view = {t0: drag.view.t0 - steps, t1: drag.view.t1 - steps, a0: drag.view.a0 + bytes, a1: drag.view.a1 + bytes};
    clampPair();
    schedule();
    return;
  }
  const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
  const k = halfAt(py), plan = pair()[k], other = pair()[1 - k], step = stepAt(px), address = addressIn(k, py);
  tip.replaceChildren();
  const before = hovered;
  hovered = -1;
  for (let i = 0; i < count; i++) {
    const inside = address - plan.offset[i];
    if (!inMain(plan, i) || step < data.lower[i] || step >= data.upper[i] || inside < 0 || inside >= data.size[i]) continue;
    hovered = i;
    for (const line of [shortName[i], both(data.size[i]), 'live [' + exact(data.lower[i]) + ', ' + exact(data.upper[i]) + ')',
      plan.name + ': offset ' + exact(plan.offset[i]), other.name + ': offset ' + exact(other.offset[i])]) {
      const node = document.createElement('div');
      node.textContent = line;
      tip.append(node);
    }
    break;
  }
  if (before !== hovered) schedule();
  tip.hidden = !tip.childNodes.length;
  tip.style.left = Math.min(event.clientX + 16, window.innerWidth - 260) + 'px';
  tip.style.top = event.clientY + 16 + 'px';
});
canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
const fitPair = () => { view = wholePair(); schedule(); };
canvas.addEventListener('dblclick', fitPair);
element('fit').addEventListener('click', fitPair);
const PAIR_KEYS = {
  f: fitPair, Escape: () => { pinned = -1; filter(-1); },
  ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, 1), ArrowDown: () => move(0, -1),
  '+': () => scale(0.8), '-': () => scale(1.25),
};
function move(steps, addresses) {
  const wide = (view.t1 - view.t0) / 8 * steps, tall = (view.a1 - view.a0) / 8 * addresses;
  view = {t0: view.t0 + wide, t1: view.t1 + wide, a0: view.a0 + tall, a1: view.a1 + tall};
}
function scale(factor) {
  const wide = (view.t1 - view.t0) * (factor - 1) / 2, tall = (view.a1 - view.a0) * (factor - 1) / 2;
  view = {t0: view.t0 - wide, t1: view.t1 + wide, a0: view.a0 - tall, a1: view.a1 + tall};
}
document.addEventListener('keydown', (event) => {
  if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || !Object.hasOwn(PAIR_KEYS, event.key)) return;
  event.preventDefault();
  PAIR_KEYS[event.key]();
  clampPair();
  schedule();
});
element('svg').addEventListener('click', () => save(fileName('-plans.svg'), new Blob([viewAsSvg()], {type: 'image/svg+xml'})));

// ---- table ---------------------------------------------------------------------------------
const COLUMNS = [['planner', (plan) => plan.name, false], ['peak, bytes', (plan) => plan.peak, true],
  ['above the bound', (plan) => gapOf(plan), true], ['seconds', (plan) => plan.seconds === undefined ? -1 : plan.seconds, true]];
let sorted = {column: 1, down: false};
function fillPlans() {
  const value = COLUMNS[sorted.column][1], sign = sorted.down ? -1 : 1;
  const order = data.plans.map((plan, k) => k).sort((a, b) => {
    const left = value(data.plans[a]), right = value(data.plans[b]);
    return (left < right ? -sign : left > right ? sign : 0) || a - b;
  });
  element('rows').replaceChildren(...order.map((k) => {
    const plan = data.plans[k], tr = document.createElement('tr');
    tr.className = 'row';
    const pick = tr.insertCell();
    ['A', 'B'].forEach((name, side) => {
      const button = document.createElement('button');
      button.textContent = name;
      button.setAttribute('aria-pressed', String(chosen[side] === k));
      button.addEventListener('click', (event) => { event.stopPropagation(); choosePlan(side, k); });
      pick.append(button, ' ');
    });
    const cells = [plan.name, exact(plan.peak), percent(gapOf(plan)), plan.seconds === undefined ? '' : plan.seconds.toFixed(3)];
    cells.forEach((string, c) => {
      const cell = tr.insertCell();
      cell.textContent = string;
      if (c > 0) cell.className = 'number';
    });
    tr.addEventListener('click', () => choosePlan(0, k));
    return tr;
  }));
}
function choosePlan(side, k) {
  const whole = view.a0 === 0 && view.a1 === highest();
  chosen[side] = k;
  if (whole) view = {...view, a1: highest()};
  clampPair();
  fillPlans();
  schedule();
}
const heading = element('plans').createTHead().insertRow();
heading.append(document.createElement('th'));
COLUMNS.forEach(([name, , numeric], c) => {
  const th = document.createElement('th'), button = document.createElement('button');
  button.textContent = name;
  if (numeric) th.className = 'number';
  button.addEventListener('click', () => { sorted = {column: c, down: sorted.column === c ? !sorted.down : false}; fillPlans(); });
  th.append(button);
  heading.append(th);
});

const named0 = [...data.plans].sort((a, b) => a.peak - b.peak)[0];
element('sentence').textContent = data.plans.length + (data.plans.length === 1 ? ' plan' : ' plans') + '; lowest: ' + named0.name + ', ' + both(named0.peak)
    + (data.lowerBound > 0 ? ', ' + (gapOf(named0) === 0 ? 'the proven optimum' : percent(gapOf(named0)) + ' above the proven bound') : '');
readColours();
profile = {most: 0};
colourBy('size');
restorePair();
fillPlans();
new ResizeObserver(resizePair).observe(canvas);
resizePair();
document.documentElement.dataset.ready = String(data.plans.length);
