// A page as a picture. The browser draws what it can open itself; the service renders PDFs, TIFFs and the rest.

import { call } from './api.js';

const LARGEST_SIDE = 8192;  // what a canvas holds on any device, with the next one
const LARGEST_AREA = 12e6;
const KEPT = 6;  // pages

export class Pictures {
  #file;
  #own = null;
  #rendered = new Map();

  constructor(file) {
    this.#file = file;
  }

  /** Whether the browser can open the file itself; the content decides. */
  async #drawable() {
    this.#own ??= this.#file.slice(0, 16).arrayBuffer().then((head) => looksDrawable(new Uint8Array(head)));
    return this.#own;
  }

  /**
   * Draws a page, turned upright, onto a canvas.
   *
   * @param {number} page from 1
   * @param {number} angle degrees clockwise that make it upright
   * @returns {Promise<{width: number, height: number}>} the upright size of the picture
   */
  async draw(canvas, page, angle, signal) {
    const bitmap = await this.#bitmap(page);
    if (signal.aborted) throw new DOMException('given up', 'AbortError');
    const turned = angle === 90 || angle === 270;
    const width = turned ? bitmap.height : bitmap.width;
    const height = turned ? bitmap.width : bitmap.height;
    const scale = Math.min(1, LARGEST_SIDE / Math.max(width, height), Math.sqrt(LARGEST_AREA / (width * height)));
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';  // pages with transparency are read over white, too
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate((angle * Math.PI) / 180);
    context.scale(scale, scale);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return { width, height };
  }

  /** Frees what was decoded, and gives up what is being fetched. */
  close() {
    for (const page of [...this.#rendered.keys()]) this.#forget(page);
  }

  #bitmap(page) {
    if (!this.#rendered.has(page)) {
      const given = new AbortController();
      const made = this.#make(page, given.signal);
      this.#rendered.set(page, { made, given });
      made.catch(() => {
        if (this.#rendered.get(page)?.made === made) this.#rendered.delete(page);  // to be tried again
      });
      if (this.#rendered.size > KEPT) this.#forget([...this.#rendered.keys()].find((other) => other !== page));
    }
    return this.#rendered.get(page).made;
  }

  #forget(page) {
    const { made, given } = this.#rendered.get(page);
    this.#rendered.delete(page);
    given.abort();
    made.then((done) => done.close()).catch(() => {});
  }

  async #make(page, signal) {
    if (page === 1 && (await this.#drawable())) {
      try {
        return await createImageBitmap(this.#file, { imageOrientation: 'from-image' });
      } catch {
        // The service may know it better, or say what is wrong with it.
      }
    }
    const response = await call(`playground/page?page=${page}`, { method: 'POST', body: this.#file, signal });
    return createImageBitmap(await response.blob());
  }
}

/** JPEG, PNG, WebP, GIF and BMP by their first bytes. */
function looksDrawable(head) {
  const ascii = String.fromCharCode(...head);
  return (
    ascii.startsWith('\xff\xd8\xff') ||
    ascii.startsWith('\x89PNG') ||
    ascii.startsWith('GIF8') ||
    ascii.startsWith('BM') ||
    (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP')
  );
}
