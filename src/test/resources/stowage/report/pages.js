// What a user does on the pages, and what is seen: one function for each case.

function point(px, py) {
  const map = document.getElementById('map');
  const box = map.getBoundingClientRect();
  map.dispatchEvent(new PointerEvent('pointermove',
      {clientX: box.left + px * box.width, clientY: box.top + py * box.height}));
  return [...document.getElementById('tip').childNodes].map((n) => n.textContent).join(' ');
}

function underThePointer() {
  const seen = [];
  seen.push(point(0.2, 0.6), point(0.5, 0.15), point(0.57, 0.6), point(0.5, 0.85));
  const search = document.getElementById('search');
  search.value = 'B';
  search.dispatchEvent(new Event('input'));
  seen.push(document.getElementById('found').textContent);
  seen.push(document.getElementById('rows').rows.length);
  search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  seen.push(document.getElementById('found').textContent);
  return seen;
}

function zoomsAndMoves() {
  const seen = [];
  const map = document.getElementById('map');
  for (const init of [{deltaY: -100}, {deltaY: -100, shiftKey: true}, {deltaY: 900}]) {
    map.dispatchEvent(new WheelEvent('wheel',
        {clientX: 400, clientY: 300, cancelable: true, ...init}));
  }
  for (const key of ['ArrowLeft', 'ArrowUp', '+', '-', '0']) {
    map.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  }
  map.dispatchEvent(new MouseEvent('dblclick'));
  seen.push(point(0.3, 0.6));
  const memory = document.getElementById('memory');
  for (const m of ['1', '0']) {
    memory.value = m;
    memory.dispatchEvent(new Event('change'));
    seen.push(point(0.3, 0.6));
  }
  for (const colour of ['life', 'own', 'size']) {
    const select = document.getElementById('colours');
    select.value = colour;
    select.dispatchEvent(new Event('change'));
  }
  document.getElementById('theme').click();
  document.getElementById('fit').click();
  document.querySelector('#proof button').click();
  document.querySelector('#table th button').click();
  document.querySelector('#rows tr').click();
  return seen;
}

function pinsAndFilters() {
  const seen = [];
  const map = document.getElementById('map');
  const key = (k) => document.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
  document.querySelector('#rows tr').click();
  const panel = document.getElementById('panel');
  seen.push(panel.hidden, panel.querySelector('h2').textContent);
  seen.push([...panel.querySelectorAll('h3')].map((n) => n.textContent).join(','));
  key('c');
  seen.push(document.getElementById('chain').getAttribute('aria-pressed'));
  key('Escape');
  seen.push(panel.hidden, document.getElementById('chain').getAttribute('aria-pressed'));
  document.querySelector('#legend button').click();
  seen.push(document.querySelector('#legend button').getAttribute('aria-pressed'));
  key('?');
  seen.push(document.getElementById('keys').hidden);
  let saved = '';
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { saved = blob.type; return make.call(URL, blob); };
  HTMLAnchorElement.prototype.click = () => {};
  document.getElementById('svg').click();
  seen.push(saved);
  return seen;
}

function twoPlans() {
  const seen = [];
  const rows = () => [...document.getElementById('rows').rows];
  seen.push(rows().map((r) => r.cells[1].textContent).join(','), rows()[1].cells[3].textContent);
  seen.push(rows()[0].querySelectorAll('button')[1].getAttribute('aria-pressed'));
  rows()[0].querySelectorAll('button')[0].click();
  seen.push(rows()[0].querySelectorAll('button')[0].getAttribute('aria-pressed'));
  document.querySelectorAll('thead button')[0].click();
  seen.push(rows().map((r) => r.cells[1].textContent).join(','));
  return seen;
}

function groupsOneAfterAnother() {
  const seen = [];
  const rows = () => [...document.getElementById('grouprows').rows];
  const lanes = () => [...document.getElementById('timerows').rows];
  seen.push(document.getElementById('figures').tBodies[0].rows.length);
  const grouped = rows().filter((r) => r.cells[3].textContent !== 'alone');
  grouped[grouped.length - 1].click();
  seen.push(document.getElementById('title').textContent);
  seen.push(`${lanes().length}` === grouped[grouped.length - 1].cells[4].textContent);
  lanes()[1].dispatchEvent(new PointerEvent('pointerenter'));
  seen.push(lanes()[1].className);
  const search = document.getElementById('search');
  search.value = document.getElementById('rows').rows[0].cells[0].textContent;
  search.dispatchEvent(new Event('input'));
  search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  seen.push(document.getElementById('panel').hidden);
  document.getElementById('theme').click();
  seen.push([...document.getElementById('legend').children].map((n) => n.textContent).join(','));
  return seen;
}
