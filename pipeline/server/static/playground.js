// The playground: pick a document, watch it being read, look at what was read.

import { json, Problem, read } from './api.js';
import { announce, byId, element, replace } from './dom.js';
import { askForKey } from './key_dialog.js';
import { Links } from './links.js';
import { Pictures } from './pictures.js';
import { ReadingProgress } from './progress.js';
import { Results } from './results.js';
import { Samples } from './samples.js';
import { Stages } from './stages.js';
import { hasText, language, nameOf, number, other, setLanguage, startTexts, text } from './texts.js';
import { Viewer } from './viewer.js';

let types = {};
let reading = null;  // AbortController of the document under way
let facts = () => '';
let drawFailure = () => {};

const links = new Links();
const viewer = new Viewer(byId('viewer'), links);
const results = new Results(byId('results'), links, () => types);
const progress = new ReadingProgress(byId('progress'));
const stages = new Stages(byId('stages'));
const samples = new Samples(() => types, (name) => void openSample(name));

function showStart() {
  reading?.abort();
  reading = null;
  byId('work').hidden = true;
  byId('start').hidden = false;
  document.body.classList.remove('working');
  document.title = 'Inklane';
}

function showWork(name) {
  byId('start').hidden = true;
  byId('work').hidden = false;
  document.body.classList.add('working');
  byId('failure').hidden = true;
  byId('work-columns').hidden = false;
  byId('work-title').textContent = name;
  facts = () => '';
  drawFailure = () => {};
  byId('work-facts').textContent = '';
  document.title = `${name} · Inklane`;
  byId('work-title').focus({ preventScroll: true });
  scrollTo(0, 0);
}

function goTo(hash) {
  if (location.hash !== hash) history.pushState(null, '', hash || location.pathname + location.search);
}

async function openSample(name) {
  goTo(`#sample/${encodeURIComponent(name)}`);
  await open(name, (signal) => samples.file(name, signal));
}

async function openFiles(files) {
  const [file, ...more] = files;
  if (!file) return;
  goTo('#document');
  if (more.length) announce(text('start.several', { name: file.name }));
  await open(file.name, async () => file);
}

/** Reads a document and shows it, unless another one was opened in the meantime. */
async function open(name, fileOf) {
  reading?.abort();
  const mine = (reading = new AbortController());
  const { signal } = mine;
  const current = () => reading === mine;
  links.reset();
  showWork(name);
  results.wait();
  progress.start();
  byId('cancel').hidden = false;
  viewer.reading = true;
  announce(text('work.started', { name }));
  const options = { type: byId('doc-type').value, words: byId('words').checked };
  const started = performance.now();
  try {
    const file = await fileOf(signal);
    void viewer.preview(new Pictures(file));
    const result = await read(file, { ...options, signal, onProgress: (step) => current() && progress.step(step) });
    if (!current()) return;
    const elapsed = performance.now() - started;
    results.show(result, { url: addressOf(options), name });
    facts = () => factsOf(result, elapsed);
    byId('work-facts').textContent = facts();
    announce(text('work.finished', { fields: Object.keys(result.fields).length, lines: countLines(result) }));
    void viewer.show(result);
  } catch (error) {
    if (current() && error.name !== 'AbortError') fail(error, () => void open(name, fileOf));
  } finally {
    if (current()) {
      progress.stop();
      viewer.reading = false;
      byId('cancel').hidden = true;
    }
  }
}

const countLines = (result) => result.pages.reduce((sum, page) => sum + page.lines.length, 0);

function factsOf(result, elapsed) {
  const type = result.doc_type ? [nameOf(types[result.doc_type]?.names, result.doc_type)] : [];
  return [
    ...type,
    text('facts.pages', { count: result.pages.length }),
    text('facts.lines', { count: countLines(result) }),
    text('facts.seconds', { seconds: number(elapsed / 1000, { maximumFractionDigits: 2 }) }),
  ].join(' · ');
}

function addressOf({ type, words }) {
  const url = new URL('v1/documents', document.baseURI);
  url.hash = '';
  url.searchParams.set('type', type);
  if (words) url.searchParams.set('words', 'true');
  return url.href;
}

/** Says what went wrong and what can be done. A missing key is asked for, and the document tried again. */
function fail(error, again) {
  if (!(error instanceof Problem)) console.error(error);
  const code = error.code ?? 'failed';
  if (error.status === 401) withKey(again);
  results.clear();
  byId('work-columns').hidden = !viewer.shown;
  drawFailure = () => replace(byId('failure'),
    element('h2', {}, hasText(`error.${code}`) ? text(`error.${code}`) : text('error.failed')),
    error.message && error.message !== code ? element('p', { class: 'failure-detail', lang: language() === 'en' ? false : 'en' }, error.message) : null,
    element('p', { class: 'fine' }, element('code', {}, code), error.requestId ? ` · ${text('error.request', { id: error.requestId })}` : ''),
    element('div', { class: 'failure-actions' },
      element('button', { type: 'button', class: 'button', on: { click: again } }, text('error.again')),
      element('button', { type: 'button', class: 'button primary', on: { click: back } }, text('error.other'))));
  drawFailure();
  byId('failure').hidden = false;
}

function back() {
  goTo('');
  showStart();
  byId('file').focus();
}

/** Asks for a key, and then does what there was none for. */
function withKey(then = () => {}) {
  askForKey(async () => {
    await loadLists();
    stages.start();
    then();
  });
}

async function loadLists() {
  const [loaded] = await Promise.allSettled([json('v1/document-types'), samples.start()]);
  if (loaded.status === 'fulfilled') types = loaded.value.document_types;
  else if (loaded.reason.status === 401 && !document.querySelector('dialog')) withKey();
  drawTypes();
  samples.draw();
}

function drawTypes() {
  const select = byId('doc-type');
  const chosen = select.value || 'auto';
  const option = (value, label) => element('option', { value }, label);
  replace(select, option('auto', text('option.auto')),
    Object.entries(types).map(([name, type]) => option(name, nameOf(type.names, name))), option('none', text('option.none')));
  select.value = chosen;
}

function followAddress() {
  const sample = /^#sample\/(.+)$/.exec(location.hash);
  if (sample && samples.has(decodeURIComponent(sample[1]))) void openSample(decodeURIComponent(sample[1]));
  else showStart();
}

function listen() {
  byId('file').addEventListener('change', (event) => {
    const files = [...event.target.files];
    event.target.value = '';  // the same file may be chosen again
    void openFiles(files);
  });
  byId('back').addEventListener('click', back);
  byId('cancel').addEventListener('click', () => {
    announce(text('work.cancelled'));
    back();
  });
  byId('key-open').addEventListener('click', () => withKey());
  byId('language').addEventListener('click', () => void setLanguage(other().code));
  document.addEventListener('inklane:language', drawLanguage);
  addEventListener('popstate', followAddress);
  listenForDrops();
}

function listenForDrops() {
  let depth = 0;
  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const veil = (shown) => { byId('veil').hidden = !shown; };
  addEventListener('dragenter', (event) => { if (carriesFiles(event)) veil(++depth > 0); });
  addEventListener('dragleave', (event) => { if (carriesFiles(event)) veil(--depth > 0); });
  addEventListener('dragover', (event) => { if (carriesFiles(event)) event.preventDefault(); });
  addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    veil(false);
    void openFiles([...event.dataTransfer.files]);
  });
  addEventListener('paste', (event) => void openFiles([...(event.clipboardData?.files ?? [])]));
}

function drawLanguage() {
  const { name, tag } = other();
  const button = byId('language');
  button.textContent = name;
  button.lang = tag;
  byId('work-facts').textContent = facts();
  drawFailure();
  drawTypes();
}

listen();
await startTexts();
await loadLists();
followAddress();
stages.start();
document.documentElement.dataset.ready = '';  // everything that is there from the start can be used
