// The page's texts in the reader's language; all of them are in texts.en.json and texts.zh.json.

const TAGS = { en: 'en', zh: 'zh-CN' };
const NAMES = { en: 'English', zh: '中文' };
const STORED = 'inklane.language';

const loaded = {};
let current = 'en';
let plural = new Intl.PluralRules('en');

export const language = () => current;

/** The language to switch to, and what it calls itself. */
export function other() {
  const code = current === 'en' ? 'zh' : 'en';
  return { code, tag: TAGS[code], name: NAMES[code] };
}

/** Loads the language that was chosen before, or else the browser's. */
export async function startTexts() {
  const chosen = stored() ?? (navigator.languages ?? []).map((tag) => tag.slice(0, 2)).find((code) => code in TAGS);
  await setLanguage(chosen in TAGS ? chosen : 'en', false);
}

/** Shows the page in a language; components that build their own texts hear `inklane:language`. */
export async function setLanguage(code, remember = true) {
  loaded[code] ??= await (await fetch(new URL(`texts.${code}.json`, import.meta.url))).json();
  current = code;
  plural = new Intl.PluralRules(TAGS[code]);
  document.documentElement.lang = TAGS[code];
  if (remember) store(code);
  applyTexts(document);
  document.dispatchEvent(new Event('inklane:language'));
}

/** A text with its `{placeholders}` filled; one that depends on `count` has a form for each plural category. */
export function text(key, values = {}) {
  let found = loaded[current]?.[key] ?? key;
  if (typeof found === 'object') found = found[plural.select(values.count ?? 0)] ?? found.other;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? show(values[name]) : whole));
}

export const hasText = (key) => key in (loaded[current] ?? {});

/** What a stage is called; one that this page does not know has its own name. */
export const stageName = (name) => (hasText(`stage.${name}`) ? text(`stage.${name}`) : name.replaceAll('_', ' '));

export const number = (value, options) => new Intl.NumberFormat(TAGS[current], options).format(value);

export const percent = (fraction) => number(fraction, { style: 'percent', maximumFractionDigits: 1 });

/** A name out of `{en, zh}`, or a readable form of the identifier. */
export function nameOf(names, identifier) {
  const words = identifier.replaceAll('_', ' ');
  return names?.[current] ?? names?.en ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const show = (value) => (typeof value === 'number' ? number(value) : String(value));

function applyTexts(root) {
  for (const node of root.querySelectorAll('[data-text]')) node.textContent = text(node.dataset.text);
  for (const node of root.querySelectorAll('[data-label]')) node.setAttribute('aria-label', text(node.dataset.label));
}

// Storage is refused in some private windows; the choice then lasts as long as the page.
function stored() {
  try {
    return localStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(code) {
  try {
    localStorage.setItem(STORED, code);
  } catch {
    // See above.
  }
}
