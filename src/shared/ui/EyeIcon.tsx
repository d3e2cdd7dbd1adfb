/** An eye; crossed out while what it watches shows and can be hidden. Decoration beside words. */
export function EyeIcon({ crossed }: { readonly crossed: boolean }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M1.5 10C3.3 6.5 6.4 4.5 10 4.5s6.7 2 8.5 5.5c-1.8 3.5-4.9 5.5-8.5 5.5S3.3 13.5 1.5 10Z" />
      <circle cx="10" cy="10" r="2.5" />
      {crossed && <path d="m3.5 16.5 13-13" />}
    </svg>
  );
}
