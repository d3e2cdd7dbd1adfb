/**
 * Tells a parent that asked for it how tall the content is, px, at once and whenever that changes
 * (docs/behaviour.md#embedding).
 */
export function postHeights({ document, parent }: Window, embedder: string): void {
  const root = document.getElementById('root');
  if (!root) return;
  const post = () =>
    parent.postMessage({ type: 'vestibule/resize', height: root.getBoundingClientRect().height }, embedder);
  new ResizeObserver(post).observe(root);
}
