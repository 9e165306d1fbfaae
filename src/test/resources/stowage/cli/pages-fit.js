// Opens every frame in both themes and leaves what does not fit.
const light = (colour) => {
  const [r, g, b, alpha] = colour.match(/[\d.]+/g).map(Number);
  const part = (v) => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
  return {value: 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b), alpha: alpha === undefined ? 1 : alpha};
};
function groundOf(win, node) {
  for (let at = node; at; at = at.parentElement) {
    const ground = light(win.getComputedStyle(at).backgroundColor);
    if (ground.alpha > 0.5) return ground.value;
  }
  return 1;
}
async function judge(win) {
  const faults = [], doc = win.document, root = doc.documentElement;
  const shown = (node) => { const box = node.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
  if (!root.dataset.ready) faults.push('its scripts did not end');
  if (root.scrollWidth > win.innerWidth) faults.push('page ' + root.scrollWidth + ' of ' + win.innerWidth);
  for (const node of doc.querySelectorAll('body *')) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== '');
    if (!own || !shown(node) || node.closest('svg')) continue;
    const ink = light(win.getComputedStyle(node).color).value, ground = groundOf(win, node);
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5) faults.push('contrast ' + contrast.toFixed(1) + ': ' + node.textContent.slice(0, 30));
  }
  const pictures = [...doc.querySelectorAll('svg')].filter(shown);
  const save = doc.getElementById('svg');
  if (save) {
    let blob = null;
    win.URL.createObjectURL = (made) => { blob = made; return '#'; };
    win.HTMLAnchorElement.prototype.click = () => {};
    save.click();
    const drawn = doc.createElement('div');
    drawn.innerHTML = await blob.text();
    doc.body.append(drawn);
    pictures.push(drawn.firstElementChild);
  }
  for (const svg of pictures) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '')
        .map((text) => ({name: text.textContent, box: text.getBoundingClientRect()}));
    for (const {name, box} of boxes) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) faults.push('outside: ' + name);
    }
    boxes.forEach((one, k) => boxes.slice(k + 1).forEach((other) => {
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const tall = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 2 && tall > 4) faults.push('overlap: ' + one.name + ' / ' + other.name);
    }));
  }
  return faults.slice(0, 5).join('; ');
}
addEventListener('load', () => setTimeout(async () => {
  let judged = 0;
  const found = [];
  for (const frame of document.querySelectorAll('iframe')) {
    for (const theme of ['light', 'dark']) {
      frame.contentDocument.documentElement.dataset.theme = theme;
      const faults = await judge(frame.contentWindow);
      if (faults) found.push([frame.title, frame.width, theme, faults].join(' '));
      judged++;
    }
  }
  document.documentElement.dataset.judged = judged;
  document.documentElement.dataset.faults = found.join(' | ') || 'none';
}, 300));
