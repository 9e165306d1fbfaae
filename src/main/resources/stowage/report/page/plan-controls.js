// Controls of the page: pointer, keys, search, legend, panel, tables, and the state in the address.
const tip = element('tip'), panel = element('panel'), search = element('search');

// ---- pointing ------------------------------------------------------------------------------
function placeAt(py) {
  const lifted = liftAt(py), band = Math.max(0, Math.min(bands.length - 1, Math.floor(lifted)));
  return {memory: bands[band], address: (lifted - band) * tops[bands[band]]};
}
/** The buffer at a step and address; -2 - i where only a gap of buffer i is there, else -1. */
function bufferAt(step, memory, address) {
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
function add(parent, tag, string, name) {
  const node = document.createElement(tag);
  node.textContent = string;
  if (name) node.className = name;
  parent.append(node);
  return node;
}
function factsOf(i) {
  const facts = [both(data.size[i]),
    data.time ? 'there from ' + stepText(data.lower[i]) + ' to ' + stepText(data.upper[i]) + ' ' + data.time
      : 'live [' + exact(data.lower[i]) + ', ' + exact(data.upper[i]) + '), ' + exact(data.upper[i] - data.lower[i]) + (data.upper[i] - data.lower[i] === 1 ? ' step' : ' steps'),
    (data.memories.length > 1 ? data.memories[memoryOf(i)].name + ', ' : '')
        + 'offset ' + exact(data.offset[i]) + ' to ' + exact(data.offset[i] + data.size[i])];
  if (ops) {
    if (ops.shape[i]) facts.push(ops.shape[i]);
    facts.push(ops.producer[i] < 0 ? 'graph input' : 'produced by ' + opAt(ops.producer[i]));
    const readers = ops.readers[i];
    if (readers.length) {
      facts.push('last read by ' + opAt(readers[readers.length - 1])
          + (readers.length > 1 ? ', ' + (readers.length - 1) + ' more' : ''));
    }
  }
  if (data.kind) {
    facts.push(data.kind[i] + (data.shares && data.shares[i] >= 0 ? ', in the place of ' + data.id[data.shares[i]] : ''));
    if (data.note && data.note[i]) facts.push(data.note[i]);
    if (data.gaps[i]) facts.push('continues around the end of the table');
  }
  for (const [start, end, low, high] of (!data.table && data.gaps[i]) || []) {
    facts.push('in [' + exact(start) + ', ' + exact(end) + ') needs '
        + (low < high ? 'only its bytes [' + exact(low) + ', ' + exact(high) + ')' : 'nothing'));
  }
  if (data.tensors && data.tensors[i].length > 1) facts.push('tensors ' + data.tensors[i].map(shortOf).join(', '));
  if (proof.has(i)) facts.push('part of the proof');
  return facts;
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
    const {memory, address} = placeAt(py);
    const at = bufferAt(step, memory, address);
    if (at >= 0) {
      hovered = at;
      if (at !== pinned) { // the panel says it already
        add(tip, 'b', shortName[at]);
        for (const fact of factsOf(at)) add(tip, 'div', fact);
      }
    } else {
      add(tip, 'b', 'free');
      if (at < -1) add(tip, 'div', 'borrowed from ' + shortName[-2 - at]);
      add(tip, 'div', 'step ' + exact(Math.floor(step)) + ', address ' + exact(Math.max(0, Math.floor(address))));
      if (opAt(Math.floor(step))) add(tip, 'div', opAt(Math.floor(step)));
    }
  } else if (inWidth && py >= loadTop() && py <= loadTop() + LOAD + 18) {
    add(tip, 'b', data.time ? stepText(Math.floor(step)) + ' ' + data.time : 'step ' + exact(Math.floor(step)));
    if (opAt(Math.floor(step))) add(tip, 'div', opAt(Math.floor(step)));
    add(tip, 'div', 'load ' + both(loadAt(profile, Math.floor(step))));
  }
  const hit = inWidth && barAt(step, py);
  if (hit) {
    add(tip, 'b', hit.lane.name + ': ' + hit.bar[3]);
    add(tip, 'div', data.laneKinds[hit.bar[2]][0] + ', ' + stepText(hit.bar[0]) + ' to ' + stepText(hit.bar[1]) + ' ' + (data.time || ''));
  }
  if (onStep) onStep(inWidth ? Math.floor(step) : -1);
  tip.hidden = tip.childNodes.length === 0;
  if (!tip.hidden) {
    const right = event.clientX + 16 + tip.offsetWidth > window.innerWidth;
    const under = event.clientY + 16 + tip.offsetHeight > window.innerHeight;
    tip.style.left = Math.max(4, right ? event.clientX - tip.offsetWidth - 12 : event.clientX + 16) + 'px';
    tip.style.top = Math.max(4, under ? event.clientY - tip.offsetHeight - 12 : event.clientY + 16) + 'px';
  }
  if (before !== hovered) schedule();
}
/** Called with the step under the pointer, -1 for none; a page of groups shows it in its table. */
let onStep = null;
function hideTip() {
  if (onStep) onStep(-1);
  tip.hidden = true;
  hovered = -1;
}

// ---- the pinned buffer -----------------------------------------------------------------------
function pin(i) {
  hideTip(); // its figures were those of another place
  pinned = i;
  panel.hidden = i < 0;
  panel.replaceChildren();
  if (i >= 0) {
    const close = add(panel, 'button', '×', 'close');
    close.title = 'Esc';
    close.addEventListener('click', () => pin(-1));
    add(panel, 'h2', shortName[i]);
    if (data.id[i] !== shortName[i]) {
      add(panel, 'div', data.id[i], 'full');
      const copy = add(panel, 'button', 'copy name');
      copy.addEventListener('click', () => navigator.clipboard && navigator.clipboard.writeText(data.id[i]));
    }
    for (const fact of factsOf(i)) add(panel, 'div', fact);
    if (ops && ops.readers[i].length > 1) {
      add(panel, 'h3', 'Read by');
      for (const step of ops.readers[i].slice(0, 12)) add(panel, 'div', 'step ' + exact(step) + ', ' + opAt(step));
    }
    neighbours('Rests on', restsOn(i), data.offset[i] === 0 ? 'offset 0' : 'nothing: it could be lower or is fixed');
    neighbours('Holds up', holdsUp(i), 'nothing');
    const button = add(panel, 'button', 'Show the chain below');
    button.addEventListener('click', () => { setChain(chainDown(i)); });
  }
  schedule();
}
function neighbours(title, list, none) {
  add(panel, 'h3', title);
  if (!list.length) add(panel, 'div', none, 'subtitle');
  for (const j of list.slice(0, 12)) {
    const link = add(panel, 'button', shortName[j] + ', ' + human(data.size[j]), 'link');
    link.addEventListener('click', () => { zoomTo(j); pin(j); });
  }
  if (list.length > 12) add(panel, 'div', exact(list.length - 12) + ' more', 'subtitle');
}
function setChain(list) {
  chain = list && list.length ? list : null;
  element('chain').setAttribute('aria-pressed', String(chain !== null));
  schedule();
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
  const step = stepAt(px), lifted = liftAt(py);
  if (steps && (view.t1 - view.t0) * factor >= 1) {
    view.t0 = step - (step - view.t0) * factor;
    view.t1 = step + (view.t1 - step) * factor;
  }
  if (addresses && (view.a1 - view.a0) * factor * Math.max(...tops) >= 1) {
    view.a0 = lifted - (lifted - view.a0) * factor;
    view.a1 = lifted + (view.a1 - lifted) * factor;
  }
  clampView();
  schedule();
}
function zoomTo(i) {
  const m = memoryOf(i);
  if (bandOf[m] === undefined) choose([m]);
  const life = Math.max(1, data.upper[i] - data.lower[i]);
  view = {t0: data.lower[i] - life, t1: data.upper[i] + life,
    a0: lift(m, data.offset[i] - 3 * data.size[i]), a1: lift(m, data.offset[i] + 4 * data.size[i])};
  hideTip();
  clampView();
  schedule();
}
function choose(list) {
  showMemories(list);
  hideTip();
  overview = null;
  view = wholeView();
  const select = element('memory');
  if (select) select.value = list.length === 1 ? String(list[0]) : '-1';
  schedule();
}
function fit() {
  view = wholeView();
  schedule();
}
let drag = null;
canvas.addEventListener('pointerdown', (event) => {
  drag = {px: event.clientX, py: event.clientY, view: {...view}, moved: false};
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', (event) => {
  if (!drag) {
    showTip(event);
    return;
  }
  const right = event.clientX - drag.px, down = event.clientY - drag.py;
  if (!drag.moved && Math.hypot(right, down) < 4) return;
  drag.moved = true;
  const steps = right / plotWidth() * (view.t1 - view.t0), bytes = down / mapHeight * (view.a1 - view.a0);
  view.t0 = drag.view.t0 - steps;
  view.t1 = drag.view.t1 - steps;
  view.a0 = drag.view.a0 + bytes;
  view.a1 = drag.view.a1 + bytes;
  clampView();
  hideTip();
  schedule();
});
canvas.addEventListener('pointerup', (event) => {
  const click = drag && !drag.moved;
  drag = null;
  if (!click) return;
  const box = canvas.getBoundingClientRect();
  const px = event.clientX - box.left, py = event.clientY - box.top;
  if (px < LEFT || px > width - RIGHT || py < TOP || py > TOP + mapHeight) return;
  const {memory, address} = placeAt(py);
  const at = bufferAt(stepAt(px), memory, address);
  pin(at >= 0 ? at : -1);
});
canvas.addEventListener('pointercancel', () => { drag = null; });
canvas.addEventListener('pointerleave', () => { hideTip(); schedule(); });
canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  const turn = event.deltaY || event.deltaX;
  const box = canvas.getBoundingClientRect();
  zoom(event.clientX - box.left, event.clientY - box.top, Math.exp(Math.sign(turn) * 0.18),
      !event.altKey, !event.shiftKey);
  showTip(event);
}, {passive: false});
canvas.addEventListener('dblclick', fit);
function dragOverview(event) {
  if (!(event.buttons & 1)) return;
  const box = mini.getBoundingClientRect();
  const step = data.steps[0] + (event.clientX - box.left - LEFT) / plotWidth() * (data.steps[1] - data.steps[0]);
  const lifted = (1 - (event.clientY - box.top) / MINI) * bands.length;
  const wide = view.t1 - view.t0, tall = view.a1 - view.a0;
  view = {t0: step - wide / 2, t1: step + wide / 2, a0: lifted - tall / 2, a1: lifted + tall / 2};
  clampView();
  schedule();
}
mini.addEventListener('pointerdown', (event) => { mini.setPointerCapture(event.pointerId); dragOverview(event); });
mini.addEventListener('pointermove', dragOverview);

function nextMatch(by) {
  if (!matches || !matches.size) return;
  const order = [...matches];
  matchAt = (matchAt + by + order.length) % order.length;
  element('found').textContent = (matchAt + 1) + ' of ' + exact(order.length);
  zoomTo(order[matchAt]);
  pin(order[matchAt]);
}
function showHelp() {
  const keys = element('keys');
  keys.hidden = !keys.hidden;
  element('help').setAttribute('aria-pressed', String(!keys.hidden));
}
const shift = (steps, addresses) => {
  const wide = (view.t1 - view.t0) / 8 * steps, tall = (view.a1 - view.a0) / 8 * addresses;
  view = {t0: view.t0 + wide, t1: view.t1 + wide, a0: view.a0 + tall, a1: view.a1 + tall};
};
const zoomMiddle = (factor) => zoom(LEFT + plotWidth() / 2, TOP + mapHeight / 2, factor, true, true);
const KEYS = {
  ArrowLeft: () => shift(-1, 0), ArrowRight: () => shift(1, 0), ArrowUp: () => shift(0, 1), ArrowDown: () => shift(0, -1),
  a: () => shift(-1, 0), d: () => shift(1, 0), w: () => zoomMiddle(0.8), s: () => zoomMiddle(1.25),
  '+': () => zoomMiddle(0.8), '=': () => zoomMiddle(0.8), '-': () => zoomMiddle(1.25),
  0: fit, f: fit, '/': () => search.focus(), n: () => nextMatch(1), p: () => nextMatch(-1), '?': showHelp,
  c: () => toggleChain(), Escape: () => { pin(-1); setChain(null); filter(-1); },
};
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  hideTip();
  KEYS[event.key]();
  clampView();
  schedule();
});

// ---- controls ------------------------------------------------------------------------------
function toggleChain() {
  setChain(chain ? null : criticalChain(bands.includes(data.mainMemory) && data.memories[data.mainMemory].peak > 0
      ? data.mainMemory : bands[0]));
}
element('fit').addEventListener('click', fit);
element('help').addEventListener('click', showHelp);
element('more').addEventListener('click', () => element('tools').classList.toggle('open'));
element('chain').addEventListener('click', toggleChain);
const select = element('memory');
if (select) select.addEventListener('change', () => choose(select.value === '-1' ? usedMemories() : [Number(select.value)]));
element('svg').addEventListener('click', () => save(fileName('.svg'), new Blob([viewAsSvg()], {type: 'image/svg+xml'})));
element('png').addEventListener('click', () => canvas.toBlob((blob) => save(fileName('.png'), blob)));
search.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase();
  matchAt = -1;
  hideTip();
  pin(-1); // what was pinned need not be among what is found now
  matches = wanted === '' ? null : new Set();
  for (let i = 0; matches && i < count; i++) {
    const carried = data.tensors ? data.tensors[i] : [];
    const made = ops && ops.producer[i] >= 0 ? [opAt(ops.producer[i])] : [];
    if ([data.id[i], ...carried, ...made].some((name) => name.toLowerCase().includes(wanted))) matches.add(i);
  }
  element('found').textContent = matches ? exact(matches.size) + ' found' : '';
  fillTable();
  schedule();
});
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') nextMatch(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape') {
    search.value = '';
    search.dispatchEvent(new Event('input'));
    search.blur();
    fit();
  }
});

// ---- state in the address ----------------------------------------------------------------------
let remembering = 0;
/** What a page adds to the state. */
const moreState = [];
function rememberState() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const state = new URLSearchParams(), used = usedMemories();
    for (const part of moreState) part(state);
    if (bands.length !== Math.max(1, used.length) || bands.some((m, k) => m !== used[k])) state.set('memory', bands.join(','));
    const whole = wholeView();
    if (view.t0 !== whole.t0 || view.t1 !== whole.t1) state.set('t', view.t0.toFixed(2) + ',' + view.t1.toFixed(2));
    if (view.a0 !== whole.a0 || view.a1 !== whole.a1) state.set('a', view.a0.toFixed(6) + ',' + view.a1.toFixed(6));
    if (colouring !== FIRST_MODE) state.set('colour', colouring);
    if (pinned >= 0) state.set('buffer', data.id[pinned]);
    if (search.value) state.set('find', search.value);
    try { history.replaceState(null, '', '#' + state); } catch (refused) { /* opened where the address cannot change */ }
  }, 150);
}
function restoreState() {
  const state = new URLSearchParams(location.hash.slice(1));
  const numbers = (name) => (state.get(name) || '').split(',').map(Number);
  view = wholeView();
  if (!state.has('buffer')) pin(-1);
  if (state.has('memory')) choose(numbers('memory').filter((m) => data.memories[m]));
  if (state.has('colour')) colourBy(state.get('colour'));
  for (const [name, low, high] of [['t', 't0', 't1'], ['a', 'a0', 'a1']]) {
    const [from, to] = numbers(name);
    if (from < to) { view[low] = from; view[high] = to; }
  }
  clampView();
  if (state.has('find')) { search.value = state.get('find'); search.dispatchEvent(new Event('input')); }
  const i = state.has('buffer') ? data.id.indexOf(state.get('buffer')) : -1;
  if (i >= 0) pin(i);
}

// ---- tables --------------------------------------------------------------------------------
const COLUMNS = [
  ['id', (i) => data.id[i], false], [data.unit || 'bytes', (i) => data.size[i], true],
  [data.time ? 'from, ' + data.time : 'from step', (i) => data.lower[i], true, stepText],
  [data.time ? 'to, ' + data.time : 'to step', (i) => data.upper[i], true, stepText],
  ['offset', (i) => data.offset[i], true], ['end', (i) => data.offset[i] + data.size[i], true],
];
if (data.memories.length > 1) COLUMNS.push(['memory', (i) => data.memories[memoryOf(i)].name, false]);
if (ops) {
  COLUMNS.push(['produced by', (i) => ops.producer[i] < 0 ? 'input' : opAt(ops.producer[i]), false],
      ['shape', (i) => ops.shape[i], false]);
}
if (data.tensors) COLUMNS.push(['tensors', (i) => data.tensors[i].join(', '), false]);
const ROWS = 400;
let sorted = {column: 1, down: true};
function row(i) {
  const tr = document.createElement('tr');
  tr.className = 'row';
  for (const [, value, numeric, shown] of COLUMNS) {
    const cell = tr.insertCell();
    cell.textContent = numeric ? (shown || exact)(value(i)) : value(i);
    if (numeric) cell.className = 'number';
  }
  tr.addEventListener('click', () => {
    zoomTo(i);
    pin(i);
    canvas.scrollIntoView({block: 'nearest'});
  });
  return tr;
}
function head(table) {
  const tr = table.createTHead().insertRow();
  COLUMNS.forEach(([name, , numeric], c) => {
    const th = document.createElement('th');
    if (numeric) th.className = 'number';
    const inner = add(th, 'button', name);
    inner.addEventListener('click', () => {
      sorted = {column: c, down: sorted.column === c ? !sorted.down : numeric};
      fillTable();
    });
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
head(element('table'));
fillTable();
if (data.bound.buffers.length) {
  const button = add(element('proof'), 'button', data.bound.buffers.length === 1 ? 'Show it in the picture' : 'Show these ' + exact(data.bound.buffers.length) + ' in the picture');
  button.setAttribute('aria-pressed', String(proofShown));
  button.addEventListener('click', () => {
    proofShown = !proofShown;
    button.setAttribute('aria-pressed', String(proofShown));
    if (proofShown && bandOf[data.mainMemory] === undefined) choose([data.mainMemory]);
    schedule();
  });
}

readColours();
showMemories(usedMemories());
view = wholeView();
colourBy(colouring);
restoreState();
window.addEventListener('hashchange', () => { if (!data.groups) { restoreState(); schedule(); } });
new ResizeObserver(resize).observe(canvas);
window.addEventListener('resize', resize);
resize();
document.documentElement.dataset.ready = String(count);
