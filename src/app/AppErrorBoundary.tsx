import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Fallback } from './Fallback.container';

/** A crash while rendering shows the app-level fallback message (specification §2, forms), never a blank page. */
export function AppErrorBoundary({ children }: { readonly children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={Fallback}>{children}</ErrorBoundary>;
}
