import type { Documents } from '../ports';

/** Makes the port `Documents`. */
export function createDocuments(browser: Window & typeof globalThis): Documents {
  return {
    download: (name, text) => {
      const { document, URL, Blob } = browser;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    },
    print: () => {
      browser.print();
    },
  };
}
