/** Writes into the existing `title` of the page. React's `<title>` would add a second one. */
export function setDocumentTitle(title: string): void {
  document.title = title;
}
