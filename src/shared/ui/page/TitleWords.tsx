import type { ReactNode } from 'react';

/**
 * The words of a title that takes the focus, as an element of their own. When the element that had the focus is gone, Orca goes to the
 * first words in the new one, and says the new one only if it is not these words itself.
 */
export function TitleWords({ children }: { readonly children: ReactNode }) {
  return <span role="strong">{children}</span>;
}
