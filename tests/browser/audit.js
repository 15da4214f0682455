// What tools for accessibility look for, on the page as it is now. Returns sentences, one for each fault.
() => {
  const faults = [];
  const visible = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const where = (node) => node.outerHTML.slice(0, 110);
  const named = (node) =>
    node.getAttribute('aria-label')?.trim() ||
    (node.getAttribute('aria-labelledby') ?? '').split(/\s+/).map((id) => id && document.getElementById(id)?.textContent).join('').trim() ||
    [...(node.labels ?? [])].map((label) => label.textContent).join('').trim() ||
    node.textContent.trim();

  for (const node of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="tab"], [role="button"], [role="meter"], [role="img"], [role="region"], section[aria-label], nav, progress')) {
    if (visible(node) && !named(node)) faults.push(`no name: ${where(node)}`);
  }
  for (const node of document.querySelectorAll('img:not([alt])')) faults.push(`no alt: ${where(node)}`);
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) faults.push(`id twice: ${id}`);
  for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
    for (const node of document.querySelectorAll(`[${name}]`)) {
      for (const id of node.getAttribute(name).split(/\s+/)) if (!document.getElementById(id)) faults.push(`${name} leads nowhere: ${where(node)}`);
    }
  }
  if (!document.documentElement.lang) faults.push('the page has no language');
  if (!document.title) faults.push('the page has no title');
  if ([...document.querySelectorAll('main')].filter(visible).length !== 1) faults.push('not one main');
  const headings = [...document.querySelectorAll('h1, h2, h3, h4')].filter(visible);
  if (headings.filter((node) => node.tagName === 'H1').length !== 1) faults.push('not one h1');
  headings.reduce((before, node) => {
    const level = Number(node.tagName[1]);
    if (level > before + 1) faults.push(`a heading's level is skipped: ${where(node)}`);
    return level;
  }, 1);
  for (const node of document.querySelectorAll('button, a[href], select, input:not([type="file"]):not([type="checkbox"])')) {
    const { width, height } = node.getBoundingClientRect();
    if (visible(node) && !node.closest('p, td, th, li .type') && Math.min(width, height) < 24) faults.push(`smaller than 24 pixels: ${where(node)}`);
  }

  // Contrast (WCAG 2.2, 1.4.3): 4.5, or 3 for large text.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colour = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((part, index) => (index === 3 ? part / 255 : part));
  };
  const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3]));
  const ground = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      const layer = colour(getComputedStyle(one).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let checked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !visible(node) || node.closest('svg, canvas, .visually-hidden, :disabled, [aria-hidden="true"], noscript, option')) continue;
    const style = getComputedStyle(node);
    const below = ground(node);
    const [light, dark] = [luminance(over(colour(style.color), below)), luminance(below)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const contrast = (light + 0.05) / (dark + 0.05);
    checked += 1;
    if (contrast < needed) faults.push(`contrast ${contrast.toFixed(2)}: ${where(node)}`);
  }
  if (checked < 5) faults.push('no text was looked at');
  return faults;
}
