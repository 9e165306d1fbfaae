'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const element = (id) => document.getElementById(id);
  const canvas = element('map');
  if (!canvas) {
    document.documentElement.dataset.ready = 'picture';
    return;
  }
  const brush = canvas.getContext('2d');
  const tip = element('tip');
  const count = data.id.length;
  const LEFT = 96, RIGHT = 126, TOP = 24, BETWEEN = 18, LOAD = 84, BOTTOM = 38;
  const FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';
  const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

  // ---- numbers -------------------------------------------------------------------------------
  const exact = (value) => Math.round(value).toLocaleString('en-US');
  function human(bytes) {
    let unit = 0, value = bytes;
    while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) { value /= 1024; unit++; }
    const decimals = unit === 0 || value >= 1000 ? 0 : value >= 100 ? 1 : 2;
    const rounded = value.toFixed(decimals);
    // Zeros at the end are left out only where the figure is exact.
    return (parseFloat(rounded) === value ? parseFloat(rounded) : rounded) + ' ' + UNITS[unit];
  }
  const both = (bytes) => bytes < 1024 ? bytes + ' bytes' : human(bytes) + ' (' + exact(bytes) + ' bytes)';
  function byteTicks(low, high) {
    let step = 1;
    while ((high - low) / step > 8) step *= 2;
    return ticks(low, high, step);
  }
  function stepTicks(low, high) {
    let unit = 1;
    for (;;) {
      for (const factor of [1, 2, 5]) {
        if ((high - low) / (factor * unit) <= 10) return ticks(low, high, factor * unit);
      }
      unit *= 10;
    }
  }
  function ticks(low, high, step) {
    const values = [];
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) values.push(at);
    return values;
  }

  // ---- shapes --------------------------------------------------------------------------------
  const memoryOf = (i) => data.memory ? data.memory[i] : 0;
  const drawn = (i) => data.size[i] > 0 && data.lower[i] < data.upper[i];
  /** The stretches of a buffer's life: [start, end, low, high], in bytes from its offset. */
  function spans(i) {
    const gaps = data.gaps[i];
    if (!gaps) return [[data.lower[i], data.upper[i], 0, data.size[i]]];
    const found = [];
    let at = data.lower[i];
    for (const [start, end, low, high] of gaps) {
      if (at < start) found.push([at, start, 0, data.size[i]]);
      if (low < high) found.push([start, end, low, high]);
      at = end;
    }
    if (at < data.upper[i]) found.push([at, data.upper[i], 0, data.size[i]]);
    return found;
  }
  const shapes = [];
  for (let i = 0; i < count; i++) shapes.push(drawn(i) ? spans(i) : []);

  function loadOf(memory) {
    const changes = new Map();
    const add = (step, bytes) => changes.set(step, (changes.get(step) || 0) + bytes);
    for (let i = 0; i < count; i++) {
      if (memoryOf(i) !== memory) continue;
      for (const [start, end, low, high] of shapes[i]) { add(start, high - low); add(end, low - high); }
    }
    const starts = [...changes.keys()].sort((a, b) => a - b);
    const loads = [];
    let load = 0, most = 0;
    for (const step of starts) { load += changes.get(step); loads.push(load); most = Math.max(most, load); }
    return {starts, loads, most};
  }
  function loadAt(profile, step) {
    let low = 0, high = profile.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (profile.starts[middle] <= step) low = middle + 1; else high = middle;
    }
    return low === 0 ? 0 : profile.loads[low - 1];
  }

  // ---- state ---------------------------------------------------------------------------------
  let memory = data.mainMemory;
  let profile = loadOf(memory);
  let view = wholeView();
  let colouring = 'size';
  let hovered = -1;
  let matches = null;
  let matchAt = -1;
  const proof = new Set(data.bound.buffers);
  let proofShown = false;

  function topOf(m) {
    const facts = data.memories[m];
    const highest = Math.max(1, facts.peak, facts.bound);
    const near = facts.capacity !== null && facts.capacity <= 1.6 * highest;
    return Math.max(highest, near ? facts.capacity : 0) * 1.045;
  }
  function wholeView() {
    return {t0: data.steps[0], t1: data.steps[1], a0: 0, a1: topOf(memory)};
  }

  // ---- colours -------------------------------------------------------------------------------
  // Okabe and Ito's palette, which all kinds of eyes tell apart, without its black.
  const OWN = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7'];
  const OWN_INK = ['#10222e', '#10222e', '#ffffff', '#10222e', '#ffffff', '#ffffff', '#10222e'];
  const log2 = (value) => Math.floor(Math.log2(Math.max(1, value)));
  let shortest = Infinity, longest = 1;
  for (let i = 0; i < count; i++) {
    if (drawn(i)) {
      shortest = Math.min(shortest, data.upper[i] - data.lower[i]);
      longest = Math.max(longest, data.upper[i] - data.lower[i]);
    }
  }
  const lifeLow = log2(Math.min(shortest, longest));
  const lifeBits = Math.ceil((log2(longest) - lifeLow + 1) / data.palette.length) || 1;
  function colourOf(i) {
    if (colouring === 'own') return [OWN[i % OWN.length], OWN_INK[i % OWN.length]];
    if (colouring === 'life') {
      const k = Math.min(data.palette.length - 1,
          Math.floor((log2(data.upper[i] - data.lower[i]) - lifeLow) / lifeBits));
      return data.palette[k];
    }
    const classes = data.sizeClasses;
    let k = classes.length - 1;
    while (k > 0 && data.size[i] < classes[k].from) k--;
    return [classes[k].colour, classes[k].ink];
  }

  // ---- drawing -------------------------------------------------------------------------------
  let width = 0, height = 0, mapHeight = 0, scheduled = false;
  const inkOf = {};
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ground', 'panel', 'ink', 'soft', 'line', 'grid', 'load', 'load-line', 'peak',
      'bound', 'capacity', 'edge', 'gap', 'hover']) {
      inkOf[name] = style.getPropertyValue('--' + name).trim();
    }
  }
  function resize() {
    width = canvas.clientWidth;
    height = Math.max(430, Math.min(780, Math.round(window.innerHeight * 0.72)));
    canvas.style.height = height + 'px';
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    mapHeight = height - TOP - BETWEEN - LOAD - BOTTOM;
    draw(); // at once: setting the size has wiped the canvas
  }
  function schedule() {
    if (!scheduled) {
      scheduled = true;
      requestAnimationFrame(() => { scheduled = false; draw(); });
    }
  }
  const plotWidth = () => width - LEFT - RIGHT;
  const x = (step) => LEFT + (step - view.t0) / (view.t1 - view.t0) * plotWidth();
  const y = (address) => TOP + mapHeight * (1 - (address - view.a0) / (view.a1 - view.a0));
  const stepAt = (px) => view.t0 + (px - LEFT) / plotWidth() * (view.t1 - view.t0);
  const addressAt = (py) => view.a0 + (1 - (py - TOP) / mapHeight) * (view.a1 - view.a0);
  const loadTop = () => TOP + mapHeight + BETWEEN;

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
    drawBoundStep();
    drawMarks();
  }
  function drawAxes() {
    brush.lineWidth = 1;
    for (const [top, tall] of [[TOP, mapHeight], [loadTop(), LOAD]]) {
      brush.fillStyle = inkOf.panel;
      brush.fillRect(LEFT, top, plotWidth(), tall);
      brush.strokeStyle = inkOf.line;
      brush.strokeRect(LEFT + 0.5, top + 0.5, plotWidth() - 1, tall - 1);
    }
    for (const tick of byteTicks(view.a0, view.a1)) {
      const at = y(tick);
      brush.fillStyle = inkOf.grid;
      brush.fillRect(LEFT, at, plotWidth(), 1);
      text(tick === 0 ? '0' : human(tick), LEFT - 7, at + 4, 'right', inkOf.soft);
    }
    const bottom = loadTop() + LOAD;
    for (const tick of stepTicks(view.t0, view.t1)) {
      const at = x(tick);
      brush.fillStyle = inkOf.soft;
      brush.fillRect(at, bottom, 1, 4);
      text(exact(tick), at, bottom + 16, 'center', inkOf.soft);
    }
    text('step', LEFT + plotWidth() / 2, bottom + 31, 'center', inkOf.soft);
    for (const [title, middle] of [['address', TOP + mapHeight / 2], ['load', loadTop() + LOAD / 2]]) {
      brush.save();
      brush.translate(14, middle);
      brush.rotate(-Math.PI / 2);
      text(title, 0, 0, 'center', inkOf.soft);
      brush.restore();
    }
  }
  function isFaded(i) {
    return (matches && !matches.has(i)) || (proofShown && !proof.has(i));
  }
  function drawBuffers() {
    const labels = [];
    for (let i = 0; i < count; i++) {
      if (memoryOf(i) !== memory) continue;
      const base = data.offset[i];
      if (base > view.a1 || base + data.size[i] < view.a0) continue;
      if (data.lower[i] > view.t1 || data.upper[i] < view.t0) continue;
      const [fill, ink] = colourOf(i);
      brush.globalAlpha = isFaded(i) ? 0.13 : 1;
      brush.fillStyle = fill;
      for (const [start, end, low, high] of shapes[i]) {
        const left = x(start), top = y(base + high);
        const wide = x(end) - left, tall = y(base + low) - top;
        const edgeX = wide > 2.5 ? 0.6 : 0, edgeY = tall > 2.5 ? 0.6 : 0;
        brush.fillRect(left, top, Math.max(0.4, wide - edgeX), Math.max(0.4, tall - edgeY));
        if (wide > 13 && tall > 9 && !isFaded(i)) labels.push([i, left, top, wide, tall, ink]);
      }
      if (data.gaps[i]) drawGaps(i, base);
    }
    brush.globalAlpha = 1;
    for (const label of labels) drawLabel(...label);
    if (hovered >= 0) {
      brush.strokeStyle = inkOf.hover;
      brush.lineWidth = 2;
      for (const [start, end, low, high] of shapes[hovered]) {
        const top = y(data.offset[hovered] + high);
        brush.strokeRect(x(start), top, x(end) - x(start), y(data.offset[hovered] + low) - top);
      }
    }
  }
  function drawGaps(i, base) {
    brush.strokeStyle = inkOf.gap;
    brush.lineWidth = 0.9;
    brush.setLineDash([3, 2]);
    for (const [start, end] of data.gaps[i]) {
      const top = y(base + data.size[i]);
      brush.strokeRect(x(start), top, x(end) - x(start), y(base) - top);
    }
    brush.setLineDash([]);
  }
  function drawLabel(i, left, top, wide, tall, ink) {
    // The part of the rectangle that is in sight carries the label.
    const from = Math.max(left, LEFT), to = Math.min(left + wide, width - RIGHT);
    const high = Math.max(top, TOP), low = Math.min(top + tall, TOP + mapHeight);
    const room = to - from - 5, rise = low - high;
    if (room < 8 || rise < 9) return;
    const id = data.id[i];
    let font = Math.min(11, Math.max(8, Math.floor(rise - 2)));
    brush.font = font + 'px ' + FONT;
    let long = brush.measureText(id.length > 400 ? id.slice(0, 400) : id).width;
    if (long > room && long * 8 <= room * font) {
      const smaller = Math.max(8, Math.floor(font * room / long));
      long *= smaller / font;
      font = smaller;
    }
    const middle = (from + to) / 2;
    if (long <= room) {
      const two = rise > 30 && brush.measureText(human(data.size[i])).width <= room;
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
      text(id.slice(0, letters) + '…', middle, (high + low) / 2 + font * 0.35, 'center', ink, font + 'px');
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
        // Thinner than the eye sees: the highest of a pixel's segments stands for it.
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
    text('0', LEFT - 7, top + LOAD + 4, 'right', inkOf.soft);
    text('max load', width - RIGHT + 10, at(profile.most) + 4, 'left', inkOf['load-line'], 'bold 11px');
    text(human(profile.most), width - RIGHT + 10, at(profile.most) + 17, 'left', inkOf.ink);
  }
  function drawBoundStep() {
    const step = data.bound.step;
    if (step === null || memory !== data.mainMemory || step < view.t0 || step > view.t1) return;
    const at = x(step + 0.5);
    brush.strokeStyle = inkOf.bound;
    brush.lineWidth = 0.9;
    brush.setLineDash([2, 3]);
    brush.beginPath();
    brush.moveTo(at, TOP - 6);
    brush.lineTo(at, loadTop() + LOAD);
    brush.stroke();
    brush.setLineDash([]);
    const label = "the bound's step: " + exact(step);
    brush.font = '10.5px ' + FONT;
    const half = brush.measureText(label).width / 2;
    text(label, Math.max(LEFT + half, Math.min(width - RIGHT - half, at)), TOP - 9, 'center',
        inkOf.ink, '10.5px');
  }
  function drawMarks() {
    const facts = data.memories[memory];
    const marks = [];
    if (facts.peak === facts.bound) {
      marks.push(['peak = bound', facts.peak, 'peak', []]);
    } else {
      marks.push(['peak', facts.peak, 'peak', []]);
      if (facts.bound > 0) marks.push(['bound', facts.bound, 'bound', [6, 3]]);
    }
    const same = marks.find((mark) => mark[1] === facts.capacity);
    if (same) same.push(' (capacity)');
    else if (facts.capacity !== null) marks.push(['capacity', facts.capacity, 'capacity', [2, 2]]);
    const shown = marks.filter((mark) => mark[1] >= view.a0 && mark[1] <= view.a1)
        .sort((a, b) => b[1] - a[1]);
    const at = shown.map((mark) => y(mark[1]));
    for (let k = 1; k < at.length; k++) at[k] = Math.max(at[k], at[k - 1] + 29);
    let limit = TOP + mapHeight;
    for (let k = at.length - 1; k >= 0; k--) { at[k] = Math.min(at[k], limit); limit = at[k] - 29; }
    shown.forEach(([name, bytes, colour, dash, remark], k) => {
      brush.strokeStyle = inkOf[colour];
      brush.lineWidth = 1.4;
      brush.setLineDash(dash);
      brush.beginPath();
      brush.moveTo(LEFT, y(bytes));
      brush.lineTo(width - RIGHT, y(bytes));
      brush.lineTo(width - RIGHT + 6, at[k]);
      brush.stroke();
      brush.setLineDash([]);
      text(name, width - RIGHT + 10, at[k] - 2, 'left', inkOf[colour], 'bold 11px');
      text(human(bytes) + (remark || ''), width - RIGHT + 10, at[k] + 11, 'left', inkOf.ink);
    });
  }

  // ---- pointing ------------------------------------------------------------------------------
  function bufferAt(step, address) {
    let found = -1;
    for (let i = 0; i < count; i++) {
      if (memoryOf(i) !== memory || step < data.lower[i] || step >= data.upper[i]) continue;
      const inside = address - data.offset[i];
      if (inside < 0 || inside >= data.size[i]) continue;
      for (const [start, end, low, high] of shapes[i]) {
        if (step >= start && step < end && inside >= low && inside < high) return i;
      }
      found = found < 0 ? -2 - i : found;
    }
    return found;
  }
  function line(string, bold) {
    const node = document.createElement(bold ? 'b' : 'div');
    node.textContent = string;
    tip.append(node);
  }
  function showTip(event) {
    const box = canvas.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    tip.replaceChildren();
    const before = hovered;
    hovered = -1;
    const step = stepAt(px);
    const inWidth = px >= LEFT && px <= width - RIGHT;
    if (inWidth && py >= TOP && py <= TOP + mapHeight) {
      const address = addressAt(py);
      const at = bufferAt(step, address);
      if (at >= 0) {
        hovered = at;
        describe(at);
      } else {
        line('free', true);
        if (at < -1) line('lent by ' + data.id[-2 - at]);
        line('step ' + exact(Math.floor(step)) + ', address ' + exact(Math.max(0, Math.floor(address))));
      }
    } else if (inWidth && py >= loadTop() && py <= loadTop() + LOAD) {
      line('step ' + exact(Math.floor(step)), true);
      line('load ' + both(loadAt(profile, Math.floor(step))));
    }
    tip.hidden = tip.childNodes.length === 0;
    if (!tip.hidden) {
      const right = event.clientX + 16 + tip.offsetWidth > window.innerWidth;
      const under = event.clientY + 16 + tip.offsetHeight > window.innerHeight;
      tip.style.left = Math.max(4, right ? event.clientX - tip.offsetWidth - 12 : event.clientX + 16) + 'px';
      tip.style.top = Math.max(4, under ? event.clientY - tip.offsetHeight - 12 : event.clientY + 16) + 'px';
    }
    if (before !== hovered) schedule();
  }
  function describe(i) {
    line(data.id[i], true);
    line(both(data.size[i]));
    line('alive [' + exact(data.lower[i]) + ', ' + exact(data.upper[i]) + '), '
        + exact(data.upper[i] - data.lower[i]) + ' steps');
    line('offset ' + exact(data.offset[i]) + ', up to ' + exact(data.offset[i] + data.size[i]));
    if (data.gaps[i]) {
      for (const [start, end, low, high] of data.gaps[i]) {
        line('in [' + exact(start) + ', ' + exact(end) + ') needs '
            + (low < high ? 'only its bytes [' + exact(low) + ', ' + exact(high) + ')' : 'nothing'));
      }
    }
    if (data.tensors && data.tensors[i].length) line('carries ' + data.tensors[i].join(', '));
    if (proof.has(i)) line('one of those that make the bound');
  }

  // ---- moving about --------------------------------------------------------------------------
  function clampView() {
    const whole = wholeView();
    for (const [low, high] of [['t0', 't1'], ['a0', 'a1']]) {
      const span = Math.min(view[high] - view[low], whole[high] - whole[low]);
      view[low] = Math.max(whole[low], Math.min(view[low], whole[high] - span));
      view[high] = view[low] + span;
    }
  }
  function zoom(px, py, factor, steps, addresses) {
    const step = stepAt(px), address = addressAt(py);
    if (steps && (view.t1 - view.t0) * factor >= 1) {
      view.t0 = step - (step - view.t0) * factor;
      view.t1 = step + (view.t1 - step) * factor;
    }
    if (addresses && (view.a1 - view.a0) * factor >= 1) {
      view.a0 = address - (address - view.a0) * factor;
      view.a1 = address + (view.a1 - address) * factor;
    }
    clampView();
    schedule();
  }
  function zoomTo(i) {
    if (memoryOf(i) !== memory) choose(memoryOf(i));
    const life = Math.max(1, data.upper[i] - data.lower[i]);
    view.t0 = data.lower[i] - life;
    view.t1 = data.upper[i] + life;
    view.a0 = data.offset[i] - 3 * data.size[i];
    view.a1 = data.offset[i] + 4 * data.size[i];
    hovered = drawn(i) ? i : -1;
    clampView();
    schedule();
  }
  function choose(m) {
    memory = m;
    profile = loadOf(m);
    hovered = -1;
    view = wholeView();
    const select = element('memory');
    if (select) select.value = String(m);
    schedule();
  }
  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = {px: event.clientX, py: event.clientY, view: {...view}};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drag) {
      showTip(event);
      return;
    }
    const steps = (event.clientX - drag.px) / plotWidth() * (view.t1 - view.t0);
    const bytes = (event.clientY - drag.py) / mapHeight * (view.a1 - view.a0);
    view.t0 = drag.view.t0 - steps;
    view.t1 = drag.view.t1 - steps;
    view.a0 = drag.view.a0 + bytes;
    view.a1 = drag.view.a1 + bytes;
    clampView();
    tip.hidden = true;
    schedule();
  });
  for (const kind of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(kind, () => { drag = null; });
  }
  canvas.addEventListener('pointerleave', () => {
    tip.hidden = true;
    if (hovered >= 0) { hovered = -1; schedule(); }
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const turn = event.deltaY || event.deltaX;
    const box = canvas.getBoundingClientRect();
    zoom(event.clientX - box.left, event.clientY - box.top, Math.exp(Math.sign(turn) * 0.18),
        !event.altKey, !event.shiftKey);
    showTip(event);
  }, {passive: false});
  canvas.addEventListener('dblclick', () => { view = wholeView(); schedule(); });
  canvas.addEventListener('keydown', (event) => {
    const wide = (view.t1 - view.t0) / 8, tall = (view.a1 - view.a0) / 8;
    const middle = [LEFT + plotWidth() / 2, TOP + mapHeight / 2];
    const moves = {
      ArrowLeft: () => { view.t0 -= wide; view.t1 -= wide; },
      ArrowRight: () => { view.t0 += wide; view.t1 += wide; },
      ArrowUp: () => { view.a0 += tall; view.a1 += tall; },
      ArrowDown: () => { view.a0 -= tall; view.a1 -= tall; },
      '+': () => zoom(...middle, 0.8, true, true),
      '=': () => zoom(...middle, 0.8, true, true),
      '-': () => zoom(...middle, 1.25, true, true),
      '0': () => { view = wholeView(); },
    };
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
      clampView();
      schedule();
    }
  });

  // ---- controls ------------------------------------------------------------------------------
  element('whole').addEventListener('click', () => { view = wholeView(); schedule(); });
  element('colours').addEventListener('change', (event) => {
    colouring = event.target.value;
    element('legend').hidden = colouring !== 'size';
    schedule();
  });
  element('theme').addEventListener('click', () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark'
        : window.matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    readColours();
    schedule();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readColours();
    schedule();
  });
  const select = element('memory');
  if (select) select.addEventListener('change', () => choose(Number(select.value)));
  const search = element('search');
  search.addEventListener('input', () => {
    const wanted = search.value.trim().toLowerCase();
    matchAt = -1;
    matches = wanted === '' ? null : new Set();
    for (let i = 0; matches && i < count; i++) {
      const carried = data.tensors ? data.tensors[i] : [];
      if ([data.id[i], ...carried].some((name) => name.toLowerCase().includes(wanted))) matches.add(i);
    }
    element('found').textContent = matches ? exact(matches.size) + ' found' : '';
    fillTable();
    schedule();
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && matches && matches.size) {
      const order = [...matches];
      matchAt = (matchAt + 1) % order.length;
      element('found').textContent = (matchAt + 1) + ' of ' + exact(order.length);
      zoomTo(order[matchAt]);
    } else if (event.key === 'Escape') {
      search.value = '';
      search.dispatchEvent(new Event('input'));
      view = wholeView();
    }
  });

  // ---- tables --------------------------------------------------------------------------------
  const COLUMNS = [
    ['id', (i) => data.id[i], false], ['bytes', (i) => data.size[i], true],
    ['from step', (i) => data.lower[i], true], ['to step', (i) => data.upper[i], true],
    ['offset', (i) => data.offset[i], true], ['end', (i) => data.offset[i] + data.size[i], true],
  ];
  if (data.memories.length > 1) COLUMNS.push(['memory', (i) => data.memories[memoryOf(i)].name, false]);
  if (data.tensors) COLUMNS.push(['carries', (i) => data.tensors[i].join(', '), false]);
  const ROWS = 400;
  let sorted = {column: 1, down: true};
  function row(i) {
    const tr = document.createElement('tr');
    tr.className = 'row';
    for (const [, value, numeric] of COLUMNS) {
      const cell = tr.insertCell();
      cell.textContent = numeric ? exact(value(i)) : value(i);
      if (numeric) cell.className = 'number';
    }
    tr.addEventListener('click', () => {
      zoomTo(i);
      canvas.scrollIntoView({block: 'nearest'});
    });
    return tr;
  }
  function head(table, clickable) {
    const tr = table.createTHead().insertRow();
    COLUMNS.forEach(([name, , numeric], c) => {
      const th = document.createElement('th');
      if (numeric) th.className = 'number';
      const inner = document.createElement(clickable ? 'button' : 'span');
      inner.textContent = name;
      if (clickable) {
        inner.addEventListener('click', () => {
          sorted = {column: c, down: sorted.column === c ? !sorted.down : numeric};
          fillTable();
        });
      }
      th.append(inner);
      tr.append(th);
    });
  }
  function fillTable() {
    const value = COLUMNS[sorted.column][1];
    const order = [];
    for (let i = 0; i < count; i++) if (!matches || matches.has(i)) order.push(i);
    const sign = sorted.down ? -1 : 1;
    order.sort((a, b) => {
      const left = value(a), right = value(b);
      return (left < right ? -sign : left > right ? sign : 0) || a - b;
    });
    element('rows').replaceChildren(...order.slice(0, ROWS).map(row));
    element('shown').textContent = order.length > ROWS
        ? 'The first ' + ROWS + ' of ' + exact(order.length) + '; search or sort for others.' : '';
  }
  head(element('table'), true);
  fillTable();
  if (data.bound.buffers.length) {
    const button = document.createElement('button');
    button.textContent = 'Show these ' + exact(data.bound.buffers.length) + ' in the picture';
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      proofShown = !proofShown;
      button.setAttribute('aria-pressed', String(proofShown));
      if (proofShown && memory !== data.mainMemory) choose(data.mainMemory);
      schedule();
    });
    element('proof').append(button);
  }

  readColours();
  new ResizeObserver(resize).observe(canvas);
  window.addEventListener('resize', resize);
  resize();
  document.documentElement.dataset.ready = String(count);
})();
