/** Writes into the one `title` of the page, where React's own `<title>` would be a second one. */
export function setDocumentTitle(title: string): void {
  document.title = title;
}
