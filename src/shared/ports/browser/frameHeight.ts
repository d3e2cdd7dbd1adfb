/**
 * Posts the height of the content in px to a parent that asked for it, at once and at each change
 * (docs/behaviour.md#embedding).
 */
export function postHeights({ document, parent }: Window, embedder: string): void {
  const root = document.getElementById('root');
  if (!root) return;
  const post = () =>
    parent.postMessage({ type: 'vestibule/resize', height: root.getBoundingClientRect().height }, embedder);
  new ResizeObserver(post).observe(root);
}
