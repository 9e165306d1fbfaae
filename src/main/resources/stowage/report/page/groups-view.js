// Layer groups: figures with their bounds, the groups along the network, and one group's lane at a time.
const network = data.network, hasFile = Array.isArray(data.file);
const sameOps = (group) => group.members.join(',');
const fileOf = new Map((data.file || []).map((group) => [sameOps(group), group]));
let open = -1, side = 'ours', marked = -1;

// ---- figures -------------------------------------------------------------------------------
const LABELS = {clashes: 'bank clashes', operandClashes: 'clashes of two operands', bankCrossings: 'buffers across banks'};
function statusOf({ours, bound, over}) {
  if (bound === null) return ['no bound', ''];
  return ours <= bound ? ['proven lowest ' + over, 'good'] : ['not proven lowest ' + over, 'open'];
}
function cells(tr, values) {
  for (const [value, name] of values) add(tr, 'td', value === null ? '' : typeof value === 'number' ? exact(value) : value, name);
}
function fillFigures() {
  const table = element('figures'), head0 = table.createTHead().insertRow();
  const columns = ['figure', 'each op alone', ...(hasFile ? ['the file'] : []), 'Stowage', 'proven bound', 'status',
    hasFile ? 'saved against the file' : 'saved by grouping'];
  columns.forEach((name, k) => add(head0, 'th', name, k > 0 && name !== 'status' ? 'number' : ''));
  const body = table.createTBody();
  for (const figure of data.figures) {
    const tr = body.insertRow(), before = hasFile ? figure.file : figure.alone;
    const [status, mark] = statusOf(figure);
    const saved = before === null ? '' : exact(before - figure.ours)
        + (before > 0 ? ' (' + (100 * (before - figure.ours) / before).toFixed(1) + '\u00a0%)' : '');
    add(tr, 'th', LABELS[figure.name] || figure.name);
    cells(tr, [[figure.alone, 'number'], ...(hasFile ? [[figure.file, 'number']] : []), [figure.ours, 'number'],
      [figure.bound, 'number'], [status, mark], [saved, 'number']]);
  }
}

// ---- the network -----------------------------------------------------------------------------
const bars = element('bars');
const HALF = 92, GAP = 26, BARS_TOP = 14, BARS_LEFT = 96;
const perOp = (group) => group.bytes / Math.max(1, group.members.length);
const tallest = Math.max(1, ...network.alone, ...data.groups.map(perOp));
const barWidth = () => (bars.clientWidth - BARS_LEFT - 12) / Math.max(1, network.name.length);
function drawBars() {
  if (bars.clientWidth === 0) return; // not shown at the moment
  const wide = bars.clientWidth, each = barWidth(), pen = bars.getContext('2d');
  fitCanvas(bars, wide, BARS_TOP + 2 * HALF + GAP + 30);
  pen.font = '11px ' + FONT;
  const write = (string, px, py, align, colour) => { pen.fillStyle = colour; pen.textAlign = align; pen.fillText(string, px, py); };
  const bases = [BARS_TOP + HALF, BARS_TOP + 2 * HALF + GAP];
  write('each op alone', BARS_LEFT - 8, bases[0] - 12, 'right', inkOf.soft);
  write('in groups', BARS_LEFT - 8, bases[1] - 12, 'right', inkOf.soft);
  write(human(tallest) + ' per op', BARS_LEFT - 8, BARS_TOP + 6, 'right', inkOf.soft);
  pen.fillStyle = inkOf.load;
  network.alone.forEach((bytes, p) => {
    const tall = HALF * bytes / tallest;
    pen.fillRect(BARS_LEFT + p * each, bases[0] - tall, Math.max(0.5, each - 0.6), tall);
  });
  data.groups.forEach((group, k) => {
    const tall = Math.max(1, HALF * perOp(group) / tallest);
    pen.fillStyle = k === open ? inkOf.peak : group.lane ? inkOf.accent : inkOf.load;
    pen.globalAlpha = k === open || k % 2 === 0 || !group.lane ? 1 : 0.72;
    let from = 0;
    for (let m = 1; m <= group.members.length; m++) {
      if (m < group.members.length && group.members[m] === group.members[m - 1] + 1) continue;
      const left = BARS_LEFT + group.members[from] * each, across = (m - from) * each;
      pen.fillRect(left, bases[1] - tall, Math.max(0.8, across - 0.8), tall);
      if (from === 0 && across > 16 && group.lane) {
        pen.globalAlpha = 1;
        write(String(k), left + across / 2, bases[1] + 13, 'center', inkOf.ink);
        pen.fillStyle = k === open ? inkOf.peak : inkOf.accent;
      }
      from = m;
    }
    pen.globalAlpha = 1;
  });
  pen.fillStyle = inkOf.line;
  for (const base of bases) pen.fillRect(BARS_LEFT, base, wide - BARS_LEFT - 12, 1);
  write((wide < 500 ? 'op, 0 to ' : 'position in the execution order, 0 to ') + (network.name.length - 1), BARS_LEFT + (wide - BARS_LEFT) / 2, bases[1] + 25, 'center', inkOf.soft);
}
function groupUnder(event) {
  const box = bars.getBoundingClientRect(), p = Math.floor((event.clientX - box.left - BARS_LEFT) / barWidth());
  return {p, k: data.groups.findIndex((group) => group.members.includes(p))};
}
bars.addEventListener('click', (event) => { const {k} = groupUnder(event); if (k >= 0) openGroup(k); });
bars.addEventListener('pointermove', (event) => {
  const {p, k} = groupUnder(event);
  tip.replaceChildren();
  if (k >= 0) {
    const group = data.groups[k];
    add(tip, 'b', network.name[p] + ' (' + network.type[p] + ')');
    add(tip, 'div', 'alone ' + both(network.alone[p]));
    add(tip, 'div', (group.lane ? 'group ' + k + ', ' + group.members.length + ' ops: ' : 'runs alone: ') + both(group.bytes));
    if (group.reason) add(tip, 'div', group.reason);
  }
  tip.hidden = k < 0;
  tip.style.left = Math.min(event.clientX + 16, window.innerWidth - 300) + 'px';
  tip.style.top = event.clientY + 16 + 'px';
});
bars.addEventListener('pointerleave', hideTip);

// ---- the table of groups -----------------------------------------------------------------------
const opsOf = (group) => {
  const names = group.members.map((p) => network.name[p]);
  return names.length === 1 ? names[0] : names[0] + ' … ' + names[names.length - 1];
};
const shortened = (name) => name.length > 44 ? name.slice(0, 20) + '…' + name.slice(-22) : name;
/** Rows: our groups, each with the file's of the same ops, and the file's other groups. */
const rowsOfGroups = data.groups.map((group, k) => ({k, group, file: fileOf.get(sameOps(group)) || null}));
const ourOps = new Set(data.groups.map(sameOps));
for (const group of data.file || []) if (!ourOps.has(sameOps(group))) rowsOfGroups.push({k: -1, group: null, file: group});
const lmemOf = (group, figure) => group && group.lmem ? group.lmem[figure][0] : -1;
const withBound = (pair) => exact(pair[0]) + (pair[0] > pair[1] ? ' [' + exact(pair[1]) + ']' : '');
const either = (row) => row.group || row.file;
const GROUP_COLUMNS = [
  ['group', (row) => row.k < 0 ? 1e9 + row.file.members[0] : row.k, (row) => row.k < 0 ? 'file' : String(row.k), true],
  ['ops', (row) => either(row).members[0], (row) => shortened(opsOf(either(row))), false],
  ['count', (row) => either(row).members.length, (row) => exact(either(row).members.length), true],
  ['slices', (row) => either(row).slices || '', (row) => either(row).lane ? either(row).slices : 'alone', false],
  ['steps', (row) => either(row).lane ? either(row).lane.table.length : 0, (row) => either(row).lane ? exact(either(row).lane.table.length) : '', true],
];
function pairColumns(name, ours, text0) {
  if (hasFile) GROUP_COLUMNS.push([name + ', file', (row) => ours(row.file), (row) => row.file ? text0(row.file) : '', true]);
  GROUP_COLUMNS.push([name, (row) => ours(row.group), (row) => row.group ? text0(row.group) : '', true]);
}
['clashes', 'operand clashes', 'crossings'].forEach((name, figure) => {
  const some = rowsOfGroups.some((row) => Math.max(lmemOf(row.group, figure), lmemOf(row.file, figure)) > 0);
  if (some) pairColumns(name, (group) => lmemOf(group, figure), (group) => group.lmem ? withBound(group.lmem[figure]) : '');
});
pairColumns('LMEM bytes', (group) => lmemOf(group, 3), (group) => group.lmem ? withBound(group.lmem[3]) : '');
pairColumns('bytes moved', (group) => group ? group.bytes : -1, (group) => exact(group.bytes));
pairColumns('cycles', (group) => group ? group.cycles : -1, (group) => exact(group.cycles));
let groupSort = {column: 0, down: false};
function fillGroups() {
  const value = GROUP_COLUMNS[groupSort.column][1], sign = groupSort.down ? -1 : 1;
  const order = [...rowsOfGroups].sort((a, b) => (value(a) < value(b) ? -sign : value(a) > value(b) ? sign : 0));
  element('grouprows').replaceChildren(...order.map((row) => {
    const tr = document.createElement('tr');
    tr.className = 'row' + (row.k >= 0 && row.k === open ? ' open' : '');
    for (const [, , text0, numeric] of GROUP_COLUMNS) add(tr, 'td', text0(row), numeric ? 'number' : '');
    tr.title = [opsOf(either(row)), either(row).reason, either(row).remark, ...either(row).violations].filter(Boolean).join('\n');
    const lane = either(row).lane;
    if (lane && row.k >= 0) tr.addEventListener('click', () => { openGroup(row.k); element('lane').scrollIntoView({block: 'start'}); });
    return tr;
  }));
}
function headGroups() {
  const tr = element('groups').createTHead().insertRow();
  GROUP_COLUMNS.forEach(([name, , , numeric], c) => {
    const th = add(tr, 'th', '', numeric ? 'number' : '');
    add(th, 'button', name).addEventListener('click', () => {
      groupSort = {column: c, down: groupSort.column === c ? !groupSort.down : numeric && c > 0};
      fillGroups();
    });
  });
}

// ---- one group ---------------------------------------------------------------------------------
function openGroup(k, from) {
  const group = data.groups[k], theirs = fileOf.get(sameOps(group));
  open = k;
  side = from === 'file' && theirs && theirs.lane ? 'file' : 'ours';
  const shown = side === 'file' ? theirs : group;
  Object.assign(data, shown.lane);
  readModel();
  hovered = pinned = filtered = marked = -1;
  matches = chain = null;
  search.value = '';
  element('found').textContent = '';
  panel.hidden = true;
  element('title').textContent = 'Group ' + k + ': ' + opsOf(group);
  element('sides').hidden = !(theirs && theirs.lane);
  element('side').value = side;
  element('facts').textContent = factsOfGroup(shown);
  fillTimes();
  fillGroups();
  choose([0]);
  colourBy(colouring);
  fillTable();
  drawBars();
}
function factsOfGroup(group) {
  const words = [['bank clash', 'es'], ['clash', 'es', ' of two operands'], ['buffer', 's', ' across banks'],
    ['byte', 's', ' of a lane']];
  const facts = group.lmem.map(([value, bound], k) => exact(value) + ' ' + words[k][0]
      + (value === 1 ? '' : words[k][1]) + (words[k][2] || '')
      + (k === 0 && group.self > 0 ? ', ' + exact(group.self) + ' of them no addresses avoid' : '')
      + (value > bound ? ' (bound ' + exact(bound) + ', not proven)' : ' (proven)'));
  return [group.members.length + (group.members.length === 1 ? ' op' : ' ops') + ', slices ' + group.slices, ...facts, both(group.bytes) + ' moved',
    ...(group.remark ? [group.remark] : []), ...group.violations].join('; ');
}
function fillTimes() {
  element('timerows').replaceChildren(...data.table.map((step, s) => {
    const tr = document.createElement('tr');
    add(tr, 'td', String(s), 'number');
    add(tr, 'td', step.ops.join(', '));
    const moves = tr.insertCell();
    for (const [sign, list] of [['↓', step.loads], ['↑', step.stores]]) {
      for (const [i, clashes] of list) {
        add(moves, 'div', sign + '\u00a0' + data.id[i], clashes ? 'clash' : '').title = clashes ? 'clashes with a bank that an op uses in this step' : '';
      }
    }
    tr.addEventListener('pointerenter', () => { markStep(s); });
    tr.addEventListener('click', () => {
      view = {...view, t0: s - 1.5, t1: s + 2.5};
      clampView();
      schedule();
    });
    return tr;
  }));
}
function markStep(s) {
  if (s === marked) return;
  const rows = element('timerows').rows;
  if (rows[marked]) rows[marked].classList.remove('open');
  marked = s;
  if (rows[s]) rows[s].classList.add('open');
  schedule();
}
element('times').addEventListener('pointerleave', () => markStep(-1));
onStep = (s) => {
  markStep(s);
  const rows = element('timerows').rows, times = element('times');
  if (s >= 0 && rows[s]) {
    const top = rows[s].offsetTop;
    if (top < times.scrollTop + 24 || top + rows[s].offsetHeight > times.scrollTop + times.clientHeight) {
      times.scrollTop = top - times.clientHeight / 2;
    }
  }
};
/** Borders of banks, moves that clash, and the step under the pointer. */
overlays.push(() => {
  if (!data.bankBytes) return;
  if (marked >= 0) {
    brush.fillStyle = inkOf.accent;
    brush.globalAlpha = 0.14;
    brush.fillRect(x(marked), TOP, x(marked + 1) - x(marked), mapHeight);
    brush.globalAlpha = 1;
  }
  brush.strokeStyle = inkOf.ink;
  brush.globalAlpha = 0.5;
  brush.lineWidth = 0.8;
  brush.setLineDash([5, 4]);
  for (let at = data.bankBytes; at < data.laneBytes; at += data.bankBytes) {
    brush.beginPath();
    brush.moveTo(LEFT, y(0, at));
    brush.lineTo(width - RIGHT, y(0, at));
    brush.stroke();
  }
  brush.setLineDash([]);
  brush.globalAlpha = 1;
  for (let i = 0; i < count; i++) { // an edge around each, and arrows where one continues around the table's end
    for (const [start, end, low, high] of shapes[i]) {
      const top = y(0, data.offset[i] + high), tall = y(0, data.offset[i] + low) - top;
      brush.strokeStyle = inkOf.edge;
      brush.lineWidth = 1;
      if (x(end) - x(start) > 3 && tall > 3) brush.strokeRect(x(start), top, x(end) - x(start), tall);
      if (!data.gaps[i] || tall < 9) continue;
      if (end === data.steps[1]) text('→', x(end) - 3, top + tall / 2 + 4, 'right', '#10222e', 'bold 11px');
      if (start === data.steps[0]) text('→', x(start) + 3, top + tall / 2 + 4, 'left', '#10222e', 'bold 11px');
    }
  }
  brush.strokeStyle = inkOf.clash;
  brush.lineWidth = 2;
  data.table.forEach((step, s) => {
    if (s + 1 < view.t0 || s > view.t1) return;
    for (const [i, clashes] of [...step.loads, ...step.stores]) {
      if (!clashes) continue;
      const top = y(0, data.offset[i] + data.size[i]);
      brush.strokeRect(x(s) + 1, top, Math.max(1, x(s + 1) - x(s) - 2), Math.max(2, y(0, data.offset[i]) - top));
    }
  });
});
moreState.push((state) => {
  if (open >= 0) state.set('group', open);
  if (side === 'file') state.set('side', side);
});
element('side').addEventListener('change', (event) => openGroup(open, event.target.value));
onTheme.push(drawBars);
new ResizeObserver(drawBars).observe(bars);

// The steps stand to the right of the picture, the pinned buffer over them.
document.querySelector('.stage').append(element('times'));
fillFigures();
headGroups();
const firstState = new URLSearchParams(location.hash.slice(1));
const asked = Number(firstState.get('group') || NaN), firstLane = data.groups.findIndex((group) => group.lane);
const chosenGroup = data.groups[asked] && data.groups[asked].lane ? asked : firstLane;
const wantedView = location.hash;
if (chosenGroup >= 0) {
  openGroup(chosenGroup, firstState.get('side'));
  try { history.replaceState(null, '', wantedView || ' '); } catch (refused) { /* opened where the address cannot change */ }
  restoreState();
  resize();
} else {
  element('lane').hidden = true;
  fillGroups();
  drawBars();
}
document.documentElement.dataset.ready = String(data.groups.length);
