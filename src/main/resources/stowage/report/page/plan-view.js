// View of the page: the map of addresses over steps, the load below it, and the overview.
const canvas = element('map');
const mini = element('mini');
const TOP = 24, BETWEEN = 18, LOAD = 84, BOTTOM = 38, LANE = 19;
let LEFT = 96, RIGHT = 126, lanesTall = 0;
const FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';
let brush = canvas.getContext('2d');

// ---- bands: one a memory, of equal height, so that a small fast memory is seen next to a large one --
function topOf(m) {
  const facts = data.memories[m];
  const highest = Math.max(1, facts.peak, facts.bound);
  const near = facts.capacity !== null && facts.capacity <= 1.6 * highest;
  return Math.max(highest, near ? facts.capacity : 0) * 1.045;
}
const usedMemories = () => data.memories.map((facts, m) => m).filter((m) => data.memories[m].peak > 0);
let bands = [];
const bandOf = [];
function showMemories(list) {
  bands = list.length ? list : [data.mainMemory];
  bandOf.length = 0;
  bands.forEach((m, band) => { bandOf[m] = band; });
  tops = data.memories.map((facts, m) => topOf(m));
  profile = loadOf((m) => bandOf[m] !== undefined);
}
let tops = [], profile = null;
let view = null;
const wholeView = () => ({t0: data.steps[0], t1: data.steps[1], a0: 0, a1: bands.length});
/** Height in bands of an address of a memory. */
const lift = (m, address) => bandOf[m] + address / tops[m];

const axisBytes = (bytes) => bytes === 0 ? '0' : data.unit ? exact(bytes) : human(bytes);
const stepText = (step) => data.time === 'ms' ? (step / 1e6).toLocaleString('en-US') : exact(step);
let colouring = FIRST_MODE;
let classes = null;
let hovered = -1, pinned = -1, filtered = -1;
let matches = null, matchAt = -1;
const proof = new Set(data.bound.buffers);
let proofShown = data.excess === true, chain = null;
/** What a page draws over the buffers; called with the map's clip. */
const overlays = [];
const nameOfStep = (step) => ops ? ops.name[step] : data.table && data.table[step] ? data.table[step].ops.join(', ') : '';

onTheme.push(() => { readColours(); overview = null; schedule(); });
let width = 0, height = 0, mapHeight = 0, scheduled = false, overview = null;
const inkOf = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['ground', 'panel', 'ink', 'soft', 'line', 'grid', 'load', 'load-line', 'peak',
    'bound', 'capacity', 'edge', 'gap', 'hover', 'accent', 'clash']) {
    inkOf[name] = style.getPropertyValue('--' + name).trim();
  }
}
function fitCanvas(node, wide, tall) {
  const ratio = window.devicePixelRatio || 1;
  node.style.height = tall + 'px';
  node.width = Math.round(wide * ratio);
  node.height = Math.round(tall * ratio);
  node.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
}
/** Room for the labels at both sides; a narrow page has those of the lines inside the map. */
const isNarrow = () => width < 600;
function setMargins() {
  const pen = canvas.getContext('2d');
  const wide = (string, font) => { pen.font = font + ' ' + FONT; return pen.measureText(string).width; };
  const names = [['max load', human(profile ? profile.most : 0)]];
  for (const facts of data.memories) {
    const of = data.memories.length > 1 ? facts.name + ' ' : '';
    names.push([of + (facts.peak === facts.bound ? 'peak = bound' : 'capacity'), human(Math.max(facts.peak, facts.bound)) + ' (capacity)']);
  }
  const right = Math.max(...names.map(([name, bytes]) => Math.max(wide(name, 'bold 11px'), wide(bytes, '11px'))));
  const lanes = (data.lanes || []).map((lane) => wide(lane.name, '11px'));
  LEFT = Math.max(isNarrow() ? 52 : 96, ...lanes.map((lane) => Math.min(140, lane + 14)));
  RIGHT = isNarrow() ? 4 : Math.min(220, right + 20);
  lanesTall = data.lanes ? data.lanes.length * LANE + 8 : 0;
  mapHeight = height - TOP - BETWEEN - LOAD - BOTTOM - lanesTall;
}
function resize() {
  if (canvas.clientWidth === 0) return; // not shown at the moment
  width = canvas.clientWidth;
  height = Math.max(430, Math.min(780, Math.round(window.innerHeight * 0.68)));
  fitCanvas(canvas, width, height);
  setMargins();
  overview = null;
  draw(); // at once: setting the size has wiped the canvas
}
function schedule() {
  if (!scheduled) {
    scheduled = true;
    requestAnimationFrame(() => { scheduled = false; draw(); rememberState(); });
  }
}
const plotWidth = () => width - LEFT - RIGHT;
const x = (step) => LEFT + (step - view.t0) / (view.t1 - view.t0) * plotWidth();
const up = (lifted) => TOP + mapHeight * (1 - (lifted - view.a0) / (view.a1 - view.a0));
const y = (m, address) => up(lift(m, address));
const stepAt = (px) => view.t0 + (px - LEFT) / plotWidth() * (view.t1 - view.t0);
const liftAt = (py) => view.a0 + (1 - (py - TOP) / mapHeight) * (view.a1 - view.a0);
const loadTop = () => TOP + mapHeight + BETWEEN;
const lanesTop = () => loadTop() + LOAD + 8;
const axisTop = () => loadTop() + LOAD + lanesTall;

function text(string, px, py, align, colour, font) {
  brush.textAlign = align;
  brush.fillStyle = colour;
  brush.font = (font || '11px') + ' ' + FONT;
  brush.fillText(string, px, py);
}
function clip(top, tall) {
  brush.save();
  brush.beginPath();
  brush.rect(LEFT, top, plotWidth(), tall);
  brush.clip();
}
function draw() {
  brush.fillStyle = inkOf.ground;
  brush.fillRect(0, 0, width, height);
  drawAxes();
  clip(TOP, mapHeight);
  drawBuffers();
  brush.restore();
  drawLoad();
  drawLanes();
  drawBoundStep();
  drawMarks();
  if (brush === canvas.getContext('2d')) drawOverview();
}
function drawAxes() {
  brush.lineWidth = 1;
  for (const [top, tall] of [[TOP, mapHeight], [loadTop(), LOAD]]) {
    brush.fillStyle = inkOf.panel;
    brush.fillRect(LEFT, top, plotWidth(), tall);
    brush.strokeStyle = inkOf.line;
    brush.strokeRect(LEFT + 0.5, top + 0.5, plotWidth() - 1, tall - 1);
  }
  bands.forEach((m, band) => {
    const low = Math.max(0, (view.a0 - band) * tops[m]), high = Math.min(1, view.a1 - band) * tops[m];
    if (high <= low) return;
    const tall = y(m, low) - y(m, high);
    for (const tick of byteTicks(low, high, Math.max(1, Math.min(8, tall / 34)))) {
      const at = y(m, tick);
      brush.fillStyle = inkOf.grid;
      brush.fillRect(LEFT, at, plotWidth(), 1);
      if (tick > 0 && band + 1 < bands.length && at - up(band + 1) < 12) continue; // the next memory's 0 is there
      text(axisBytes(tick), LEFT - 7, at + 4, 'right', inkOf.soft);
    }
    if (band > 0) {
      brush.fillStyle = inkOf.ink;
      brush.fillRect(LEFT, up(band), plotWidth(), 1.4);
    }
  });
  const bottom = axisTop();
  const steps = stepTicks(view.t0, view.t1, Math.max(2, Math.min(10, plotWidth() / 70)));
  const room = steps.length > 1 ? x(steps[1]) - x(steps[0]) : plotWidth();
  const byName = !data.time && room >= 64 && (steps.length > 1 ? steps[1] - steps[0] : 1) === 1;
  for (const tick of steps) {
    const at = x(tick);
    brush.fillStyle = inkOf.soft;
    brush.fillRect(at, bottom, 1, 4);
    text(stepText(tick), at, bottom + 16, tick === view.t1 && isNarrow() ? 'right' : 'center', inkOf.soft);
    if (byName && nameOfStep(tick) && at + room < width - RIGHT + 2) {
      const most = Math.floor((room - 22) / 5.6), name = nameOfStep(tick);
      text(name.length > most ? '…' + name.slice(1 - most) : name, at + room / 2 + 8, bottom + 16, 'center',
          inkOf.ink, '10px');
    }
  }
  text(data.time ? 'time in ' + data.time : ops || data.table ? 'step (op)' : 'step', LEFT + plotWidth() / 2, bottom + 31, 'center', inkOf.soft);
  if (isNarrow()) { // no room left of the labels
    text(data.unit || 'address', 2, TOP - 9, 'left', inkOf.soft);
    text('load', 2, loadTop() - 4, 'left', inkOf.soft);
    return;
  }
  for (const [title, middle] of [[data.unit ? 'address, ' + data.unit : 'address', TOP + mapHeight / 2], ['load', loadTop() + LOAD / 2]]) {
    brush.save();
    brush.translate(14, middle);
    brush.rotate(-Math.PI / 2);
    text(title, 0, 0, 'center', inkOf.soft);
    brush.restore();
  }
}
let lit = [];
function light() { lit = [matches, proofShown ? proof : null, chain ? new Set(chain) : null].filter((set) => set); }
function isFaded(i) {
  if (filtered >= 0 && classes.classOf[i] !== filtered) return true;
  return lit.length > 0 && !lit.some((set) => set.has(i));
}
function drawBuffers() {
  light();
  const labels = [];
  let fill = null, alpha = 1;
  brush.globalAlpha = 1;
  for (let i = 0; i < count; i++) {
    const m = memoryOf(i), band = bandOf[m];
    if (band === undefined || !drawn(i) || data.lower[i] > view.t1 || data.upper[i] < view.t0) continue;
    const base = data.offset[i], low0 = band + base / tops[m], high0 = band + (base + data.size[i]) / tops[m];
    if (low0 > view.a1 || high0 < view.a0) continue;
    const pair = classes.colours[classes.classOf[i]];
    const faded = isFaded(i);
    if ((faded ? 0.13 : 1) !== alpha) brush.globalAlpha = alpha = faded ? 0.13 : 1;
    if (pair[0] !== fill) brush.fillStyle = fill = pair[0];
    for (const [start, end, low, high] of shapes[i]) {
      const left = x(start), top = y(m, base + high);
      const wide = x(end) - left, tall = y(m, base + low) - top;
      brush.fillRect(left, top, Math.max(0.4, wide - (wide > 2.5 ? 0.6 : 0)),
          Math.max(0.4, tall - (tall > 2.5 ? 0.6 : 0)));
      if (wide > 13 && tall > 9 && !faded) labels.push([i, left, top, wide, tall, pair]);
    }
    if (data.gaps[i] && !data.table) { drawGaps(i, m, base); fill = null; }
  }
  brush.globalAlpha = 1;
  drawBoundLine(TOP, TOP + mapHeight);
  const names = isNarrow() ? marksInside() : [];
  const isCovered = ([, left, top, wide, tall]) => names.some((name) => { // a narrow label runs upwards
    const middle = (Math.max(TOP, top) + Math.min(TOP + mapHeight, top + tall)) / 2, half = wide < 60 ? tall / 2 + 8 : 14;
    return left + wide > name.left && Math.abs(middle - name.under + 4) < half;
  });
  for (const label of labels) if (!isCovered(label)) drawLabel(...label);
  for (const paint of overlays) paint();
  if (chain) drawChain();
  for (const [i, line] of [[pinned, 2.6], [hovered, 2]]) if (i >= 0) outline(i, line);
}
function outline(i, line) {
  const m = memoryOf(i);
  if (bandOf[m] === undefined) return;
  brush.strokeStyle = inkOf.hover;
  brush.lineWidth = line;
  for (const [start, end, low, high] of shapes[i]) {
    const top = y(m, data.offset[i] + high);
    brush.strokeRect(x(start), top, x(end) - x(start), y(m, data.offset[i] + low) - top);
  }
}
/** Where two buffers of the chain touch: a mark in the middle of the steps they share. */
function drawChain() {
  brush.strokeStyle = inkOf.peak;
  brush.lineWidth = 2;
  for (const i of chain) outline(i, 1.6);
  for (let k = 1; k < chain.length; k++) {
    const a = chain[k - 1], b = chain[k];
    const at = x((Math.max(data.lower[a], data.lower[b]) + Math.min(data.upper[a], data.upper[b])) / 2);
    const height0 = y(memoryOf(a), data.offset[a]);
    brush.beginPath();
    brush.moveTo(at, height0 + 7);
    brush.lineTo(at, height0 - 7);
    brush.moveTo(at - 4, height0 - 3);
    brush.lineTo(at, height0 - 8);
    brush.lineTo(at + 4, height0 - 3);
    brush.strokeStyle = inkOf.peak;
    brush.lineWidth = 2;
    brush.stroke();
  }
}
function drawGaps(i, m, base) {
  brush.strokeStyle = inkOf.gap;
  brush.lineWidth = 0.9;
  brush.setLineDash([3, 2]);
  for (const [start, end] of data.gaps[i]) {
    const top = y(m, base + data.size[i]);
    brush.strokeRect(x(start), top, x(end) - x(start), y(m, base) - top);
  }
  brush.setLineDash([]);
}
function drawLabel(i, left, top, wide, tall, [ground, ink]) {
  // The visible part of the rectangle carries the label.
  const from = Math.max(left, LEFT), to = Math.min(left + wide, width - RIGHT);
  const high = Math.max(top, TOP), low = Math.min(top + tall, TOP + mapHeight);
  const arrows = data.table && data.gaps[i] ? 26 : 0; // room at the sides where it continues around the table's end
  const room = to - from - 5 - arrows, rise = low - high;
  if (room < 8 || rise < 9) return;
  const id = shortName[i];
  let font = Math.min(11, Math.max(8, Math.floor(rise - 2)));
  brush.font = font + 'px ' + FONT;
  let long = brush.measureText(id.length > 400 ? id.slice(0, 400) : id).width;
  if (long > room && long * 8 <= room * font) {
    const smaller = Math.max(8, Math.floor(font * room / long));
    long *= smaller / font;
    font = smaller;
  }
  const middle = (from + to) / 2;
  const line = boundStepShown() ? x(data.bound.step + 0.5) : -1;
  const clear = (half, under, size) => { // the dotted line does not run through a name
    if (Math.abs(line - middle) > half + 1) return;
    brush.fillStyle = ground;
    brush.fillRect(Math.max(from, middle - half - 1), under - size * 0.8, Math.min(to - from, 2 * half + 2), size);
  };
  if (long <= room) {
    const two = rise > 30 && brush.measureText(human(data.size[i])).width <= room;
    clear(long / 2, (high + low) / 2 + (two ? -2 : font * 0.35), font);
    text(id, middle, (high + low) / 2 + (two ? -2 : font * 0.35), 'center', ink, font + 'px');
    if (two) text(human(data.size[i]), middle, (high + low) / 2 + 10, 'center', ink, '9.5px');
  } else if (long <= rise - 5 && room > 6) {
    brush.save();
    brush.translate(middle, (high + low) / 2);
    brush.rotate(-Math.PI / 2);
    text(id, 0, font * 0.35, 'center', ink, Math.min(font, 10) + 'px');
    brush.restore();
  } else if (room > 45) {
    const letters = Math.floor(id.length * (room - font) / long);
    text('…' + id.slice(id.length - letters).replace(/^[._/]+(?=.)/, ''), middle, (high + low) / 2 + font * 0.35, 'center', ink, font + 'px');
  }
}
function drawLoad() {
  const top = loadTop(), most = Math.max(1, profile.most) * 1.08;
  const at = (bytes) => top + LOAD * (1 - bytes / most);
  clip(top, LOAD);
  brush.beginPath();
  brush.moveTo(LEFT, top + LOAD);
  let column = -1, highest = 0;
  for (let k = 0; k < profile.starts.length; k++) {
    const end = k + 1 < profile.starts.length ? profile.starts[k + 1] : view.t1;
    if (end < view.t0 || profile.starts[k] > view.t1) continue;
    const left = x(Math.max(profile.starts[k], view.t0)), right = x(Math.min(end, view.t1));
    if (right - left < 0.5) {
      // Thinner than visible: the highest of a pixel's segments is drawn for all.
      const here = Math.floor(left);
      highest = here === column ? Math.max(highest, profile.loads[k]) : profile.loads[k];
      column = here;
      brush.lineTo(left, at(highest));
      brush.lineTo(right, at(highest));
    } else {
      brush.lineTo(left, at(profile.loads[k]));
      brush.lineTo(right, at(profile.loads[k]));
    }
  }
  brush.lineTo(width - RIGHT, top + LOAD);
  brush.closePath();
  brush.fillStyle = inkOf.load;
  brush.fill();
  brush.strokeStyle = inkOf['load-line'];
  brush.lineWidth = 0.9;
  brush.stroke();
  brush.restore();
  for (const tick of byteTicks(0, most, 3)) {
    text(axisBytes(tick), LEFT - 7, at(tick) + 4, 'right', inkOf.soft);
  }
  if (isNarrow()) {
    text('max load ' + human(profile.most), width - RIGHT - 4, top - 4, 'right', inkOf['load-line'], 'bold 11px');
    return;
  }
  text('max load', width - RIGHT + 10, at(profile.most) + 4, 'left', inkOf['load-line'], 'bold 11px');
  text(human(profile.most), width - RIGHT + 10, at(profile.most) + 17, 'left', inkOf.ink);
}
/** Rows of bars below the load: what runs and what moves at the same time. */
function drawLanes() {
  (data.lanes || []).forEach((lane, k) => {
    const top = lanesTop() + k * LANE;
    brush.fillStyle = inkOf.panel;
    brush.fillRect(LEFT, top, plotWidth(), LANE - 4);
    text(lane.name, LEFT - 7, top + 11, 'right', inkOf.soft);
    clip(top, LANE - 4);
    let last = -1;
    for (const [from, to, kind] of lane.bars) {
      if (to < view.t0 || from > view.t1) continue;
      const left = x(from), wide = Math.max(0.5, x(to) - left - (x(to) - left > 3 ? 0.6 : 0));
      if (left + wide <= last && wide < 1) continue; // a pixel that is full already
      brush.fillStyle = data.laneKinds[kind][1];
      brush.fillRect(left, top, wide, LANE - 4);
      last = left + wide;
    }
    brush.restore();
  });
}
/** The bar of a lane at a time and a height; null for none. */
function barAt(step, py) {
  const k = Math.floor((py - lanesTop()) / LANE), lane = data.lanes && data.lanes[k];
  const bar = lane && lane.bars.find(([from, to]) => step >= from && step < to);
  return bar ? {lane, bar} : null;
}
const opAt = (step) => ops && ops.name[step] ? shortOf(ops.name[step]) + ' (' + ops.types[ops.type[step]] + ')'
    : ops ? '' : nameOfStep(step);
const boundStepShown = () => data.bound.step !== null && bandOf[data.mainMemory] !== undefined
    && data.bound.step >= view.t0 && data.bound.step <= view.t1;
function drawBoundLine(from, to) {
  if (!boundStepShown()) return;
  const at = x(data.bound.step + 0.5);
  brush.strokeStyle = inkOf.bound;
  brush.lineWidth = 0.9;
  brush.setLineDash([2, 3]);
  brush.beginPath();
  brush.moveTo(at, from);
  brush.lineTo(at, to);
  brush.stroke();
  brush.setLineDash([]);
}
function drawBoundStep() {
  if (!boundStepShown()) return;
  const step = data.bound.step, at = x(step + 0.5);
  drawBoundLine(TOP - 6, TOP); // the map has its part below the names
  drawBoundLine(TOP + mapHeight, axisTop());
  const name = opAt(step);
  brush.font = '10.5px ' + FONT;
  const said = (of) => 'step ' + exact(step) + (of ? ', ' + of : '') + ' proves the bound';
  const fits = (of) => brush.measureText(said(of)).width <= plotWidth();
  let shown = name;
  while (shown && !fits(shown)) shown = shown.length > 8 ? '…' + shown.slice(3) : '';
  const label = said(shown);
  const half = brush.measureText(label).width / 2;
  text(label, Math.max(LEFT + half, Math.min(width - RIGHT - half, at)), TOP - 9, 'center',
      inkOf.ink, '10.5px');
}
/** The lines of peaks, bounds and capacities in view, the highest first, and their heights. */
function marksInView() {
  const marks = [];
  bands.forEach((m) => {
    const facts = data.memories[m];
    const of = bands.length > 1 ? facts.name + ' ' : '';
    const here = [];
    if (facts.peak === facts.bound) here.push([of + 'peak = bound', facts.peak, 'peak', [], m, '']);
    else {
      here.push([of + 'peak', facts.peak, 'peak', [], m, '']);
      if (facts.bound > 0) here.push([of + 'bound', facts.bound, 'bound', [6, 3], m, '']);
    }
    const same = here.find((mark) => mark[1] === facts.capacity);
    if (same) same[5] = ' (capacity)';
    else if (facts.capacity !== null) here.push([of + 'capacity', facts.capacity, 'capacity', [2, 2], m, '']);
    marks.push(...here.filter((mark) => mark[1] <= tops[m]));
  });
  const height0 = (mark) => lift(mark[4], mark[1]);
  const shown = marks.filter((mark) => height0(mark) >= view.a0 && height0(mark) <= view.a1)
      .sort((a, b) => height0(b) - height0(a));
  return {shown, at: shown.map((mark) => up(height0(mark)))};
}
function drawMarks() {
  if (isNarrow()) {
    drawMarksInside();
    return;
  }
  const {shown, at} = marksInView(), height0 = [...at];
  for (let k = 1; k < at.length; k++) at[k] = Math.max(at[k], at[k - 1] + 29);
  let limit = TOP + mapHeight;
  for (let k = at.length - 1; k >= 0; k--) { at[k] = Math.min(at[k], limit); limit = at[k] - 29; }
  shown.forEach(([name, bytes, colour, dash, , remark], k) => {
    brush.strokeStyle = inkOf[colour];
    brush.lineWidth = 1.4;
    brush.setLineDash(dash);
    brush.beginPath();
    brush.moveTo(LEFT, height0[k]);
    brush.lineTo(width - RIGHT, height0[k]);
    brush.lineTo(width - RIGHT + 6, at[k]);
    brush.stroke();
    brush.setLineDash([]);
    text(name, width - RIGHT + 10, at[k] - 2, 'left', inkOf[colour], 'bold 11px');
    text(human(bytes) + remark, width - RIGHT + 10, at[k] + 11, 'left', inkOf.ink);
  });
}

/** Where a narrow page has the names of the lines: inside the map, above them. */
function marksInside() {
  const {shown, at} = marksInView();
  let above = -Infinity;
  return shown.map(([name, bytes, colour, dash, , remark], k) => {
    const label = name + ' ' + human(bytes) + remark, under = Math.max(at[k] - 4, above + 14);
    above = under;
    brush.font = 'bold 11px ' + FONT;
    return {label, colour, dash, line: at[k], under, left: width - RIGHT - 6 - brush.measureText(label).width};
  });
}
function drawMarksInside() {
  for (const {label, colour, dash, line, under, left} of marksInside()) {
    brush.strokeStyle = inkOf[colour];
    brush.lineWidth = 1.4;
    brush.setLineDash(dash);
    brush.beginPath();
    brush.moveTo(LEFT, line);
    brush.lineTo(width - RIGHT, line);
    brush.stroke();
    brush.setLineDash([]);
    brush.fillStyle = inkOf.panel;
    brush.fillRect(left, under - 10, width - RIGHT - 2 - left, 12);
    text(label, width - RIGHT - 4, under, 'right', inkOf[colour], 'bold 11px');
  }
}

// ---- overview ------------------------------------------------------------------------------
const MINI = 56;
function drawOverview() {
  const wide = width; // as wide as the map, which gives way to a panel
  mini.style.width = wide + 'px';
  const pen = mini.getContext('2d');
  if (!overview) {
    fitCanvas(mini, wide, MINI);
    pen.fillStyle = inkOf.panel;
    pen.fillRect(LEFT, 0, plotWidth(), MINI);
    const long = data.steps[1] - data.steps[0];
    let fill = null;
    for (let i = 0; i < count; i++) {
      const m = memoryOf(i);
      if (bandOf[m] === undefined || !drawn(i)) continue;
      const colour = classes.colours[classes.classOf[i]][0];
      if (colour !== fill) pen.fillStyle = fill = colour;
      const tall = data.size[i] / tops[m] / bands.length * MINI;
      const top = MINI * (1 - lift(m, data.offset[i] + data.size[i]) / bands.length);
      pen.fillRect(LEFT + (data.lower[i] - data.steps[0]) / long * plotWidth(), top,
          Math.max(0.5, (data.upper[i] - data.lower[i]) / long * plotWidth()), Math.max(0.5, tall));
    }
    overview = document.createElement('canvas');
    overview.width = mini.width;
    overview.height = mini.height;
    overview.getContext('2d').drawImage(mini, 0, 0);
  }
  const ratio = window.devicePixelRatio || 1;
  pen.clearRect(0, 0, wide, MINI);
  pen.drawImage(overview, 0, 0, mini.width / ratio, mini.height / ratio);
  const frame = miniFrame();
  pen.fillStyle = inkOf.ground;
  pen.globalAlpha = 0.62;
  pen.fillRect(LEFT, 0, frame.left - LEFT, MINI);
  pen.fillRect(frame.left + frame.wide, 0, LEFT + plotWidth() - frame.left - frame.wide, MINI);
  pen.fillRect(frame.left, 0, frame.wide, frame.top);
  pen.fillRect(frame.left, frame.top + frame.tall, frame.wide, MINI - frame.top - frame.tall);
  pen.globalAlpha = 1;
  pen.strokeStyle = inkOf.accent;
  pen.lineWidth = 1.5;
  pen.strokeRect(frame.left + 0.75, frame.top + 0.75, frame.wide - 1.5, Math.max(2, frame.tall - 1.5));
}
function miniFrame() {
  const long = data.steps[1] - data.steps[0];
  return {
    left: LEFT + (view.t0 - data.steps[0]) / long * plotWidth(),
    wide: Math.max(4, (view.t1 - view.t0) / long * plotWidth()),
    top: MINI * (1 - view.a1 / bands.length),
    tall: Math.max(4, MINI * (view.a1 - view.a0) / bands.length),
  };
}

// ---- colours -----------------------------------------------------------------------------
function filter(k) {
  filtered = filtered === k ? -1 : k;
  [...element('legend').children].forEach((entry, at) => entry.setAttribute('aria-pressed', String(at === filtered)));
  schedule();
}
function colourBy(mode) {
  colouring = MODES[mode] ? mode : 'size';
  classes = MODES[colouring][1]();
  filtered = -1;
  overview = null;
  element('colours').value = colouring;
  const legend = element('legend');
  legend.replaceChildren();
  const present = new Set(classes.classOf.filter((_, i) => drawn(i)));
  classes.labels.forEach((label, k) => {
    const entry = document.createElement('button');
    entry.hidden = !present.has(k);
    const swatch = document.createElement('i');
    swatch.style.background = classes.colours[k][0];
    entry.append(swatch, label);
    entry.setAttribute('aria-pressed', 'false');
    entry.addEventListener('click', () => filter(k));
    legend.append(entry);
  });
  const inLanes = new Set((data.lanes || []).flatMap((lane) => lane.bars.map((bar) => bar[2])));
  for (const kind of inLanes) {
    const entry = document.createElement('span'), swatch = document.createElement('i');
    swatch.style.background = data.laneKinds[kind][1];
    entry.append(swatch, data.laneKinds[kind][0]);
    legend.append(entry);
  }
}
for (const [mode, [label]] of Object.entries(MODES)) {
  const option = document.createElement('option');
  option.textContent = label;
  option.value = mode;
  element('colours').append(option);
}
element('colours').addEventListener('change', (event) => { colourBy(event.target.value); schedule(); });

// ---- the view as SVG -------------------------------------------------------------------------
/** A brush with the calls that drawing uses, which writes SVG in place of pixels. */
function svgBrush() {
  const out = [], stack = [], clips = [];
  let path = [], rect = null, turn = '', open = 0;
  const escape = (s) => String(s).replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[c]));
  const n = (value) => Math.round(value * 100) / 100;
  const pen = {
    fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, globalAlpha: 1, font: '', textAlign: 'left', dash: [],
    setLineDash(dash) { pen.dash = dash; },
    faint: () => pen.globalAlpha < 1 ? ' opacity="' + pen.globalAlpha + '"' : '',
    stroked: () => ' fill="none" stroke="' + pen.strokeStyle + '" stroke-width="' + pen.lineWidth + '"'
        + (pen.dash.length ? ' stroke-dasharray="' + pen.dash.join(' ') + '"' : ''),
    fillRect(left, top, wide, tall) {
      out.push('<rect x="' + n(left) + '" y="' + n(top) + '" width="' + n(wide) + '" height="' + n(tall) + '" fill="'
          + pen.fillStyle + '"' + pen.faint() + '/>');
    },
    strokeRect(left, top, wide, tall) {
      out.push('<rect x="' + n(left) + '" y="' + n(top) + '" width="' + n(wide) + '" height="' + n(tall) + '"'
          + pen.stroked() + pen.faint() + '/>');
    },
    fillText(string, px, py) {
      const [, bold, size] = /^(bold )?([\d.]+)px/.exec(pen.font) || [null, '', '11'];
      out.push('<text x="' + n(px) + '" y="' + n(py) + '" font-size="' + size + '"' + (bold ? ' font-weight="bold"' : '')
          + ' text-anchor="' + ({left: 'start', center: 'middle', right: 'end'}[pen.textAlign]) + '" fill="'
          + pen.fillStyle + '"' + turn + '>' + escape(string) + '</text>');
    },
    measureText(string) {
      const real = canvas.getContext('2d');
      real.font = pen.font;
      return real.measureText(string);
    },
    beginPath() { path = []; rect = null; },
    moveTo(px, py) { path.push('M' + n(px) + ' ' + n(py)); },
    lineTo(px, py) { path.push('L' + n(px) + ' ' + n(py)); },
    closePath() { path.push('Z'); },
    rect(left, top, wide, tall) { rect = [left, top, wide, tall].map(n); },
    clip() {
      clips.push(rect);
      out.push('<g clip-path="' + 'url' + '(#clip' + clips.length + ')">');
      open++;
    },
    save() { stack.push([open, turn]); },
    restore() {
      const [before, turned] = stack.pop();
      for (; open > before; open--) out.push('</g>');
      turn = turned;
    },
    translate(px, py) { pen.at = [n(px), n(py)]; },
    rotate() { turn = ' transform="translate(' + pen.at.join(' ') + ') rotate(-90)"'; },
    fill() { out.push('<path d="' + path.join('') + '" fill="' + pen.fillStyle + '"/>'); },
    stroke() { out.push('<path d="' + path.join('') + '"' + pen.stroked() + '/>'); },
    document: (scale) => '<svg xmlns="http://www.w3.org/2000/svg" width="' + n(width * scale) + '" height="'
        + n(height * scale) + '" viewBox="0 0 ' + n(width) + ' ' + n(height)
        + '" font-family="Helvetica, Arial, Liberation Sans, sans-serif"><defs>'
        + clips.map((c, k) => '<clipPath id="clip' + (k + 1) + '"><rect x="' + c[0] + '" y="' + c[1] + '" width="' + c[2]
            + '" height="' + c[3] + '"/></clipPath>').join('') + '</defs>' + out.join('\n') + '</svg>',
  };
  return pen;
}
/** The view as SVG; where a size was asked for it is drawn in that one. */
function viewAsSvg() {
  const real = brush, shown = [width, height, mapHeight], figure = data.figure, pen = svgBrush();
  const scale = figure ? figure.font / 11 : 1;
  brush = pen;
  try {
    if (figure && figure.width > 0) {
      width = figure.width / scale;
      height = figure.height / scale;
    }
    setMargins();
    draw();
    return pen.document(scale);
  } finally {
    brush = real;
    [width, height, mapHeight] = shown;
    setMargins();
  }
}
