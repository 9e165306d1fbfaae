// Frame of every page: the data, dark and light, and files to save.
const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);
/** Called when the page has turned dark or light. */
const onTheme = [];
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
};
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  for (const call of onTheme) call();
}
function switchTheme() {
  setTheme(isDark() ? 'light' : 'dark');
  try { localStorage.setItem('stowage-theme', document.documentElement.dataset.theme); } catch (blocked) { /* kept for this view only */ }
}
try { setTheme(localStorage.getItem('stowage-theme')); } catch (blocked) { /* the default */ }
element('theme').addEventListener('click', switchTheme);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(null));
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && event.key === 't') switchTheme();
});
function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
const fileName = (ending) => document.querySelector('h1').textContent.replace(/[^\w.-]+/g, '_') + ending;
document.documentElement.dataset.ready = 'page';
