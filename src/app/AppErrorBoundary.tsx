import { isChunkLoadError } from '@shared/api/apiError';
import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Fallback } from './Fallback.container';

interface AppErrorBoundaryProps {
  /** A part of the application that rendering needs could not be fetched. */
  readonly onChunkLoadFailed: () => void;
  readonly children: ReactNode;
}

/** A crash while rendering shows the app-level fallback message (specification §2, forms), never a blank page. */
export function AppErrorBoundary({ onChunkLoadFailed, children }: AppErrorBoundaryProps) {
  const tell = (error: unknown): void => {
    if (isChunkLoadError(error)) onChunkLoadFailed();
  };
  return (
    <ErrorBoundary FallbackComponent={Fallback} onError={tell}>
      {children}
    </ErrorBoundary>
  );
}
