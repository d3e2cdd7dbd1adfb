/** The mark: an archway within an archway, with the door open. Decoration beside the product's name. */
export function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true">
      <path d="M4 25V13a10 10 0 0 1 20 0v12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M9.5 25V13.5a4.5 4.5 0 0 1 9 0V25" fill="currentColor" />
    </svg>
  );
}
