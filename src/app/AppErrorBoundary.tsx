import { sessionMessages } from '@features/session';
import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { FatalNotice } from './pages/FatalNotice';

/** A crash while rendering shows the app-level fallback message (specification §2, forms), never a blank page. */
export function AppErrorBoundary({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary fallback={<FatalNotice message={sessionMessages.fallback} />}>{children}</ErrorBoundary>
  );
}
