import { sessionMessages } from '@features/session';
import { isChunkLoadError } from '@shared/api/apiError';
import { componentIn, createOptionalChunk } from '@shared/chunk';
import { FailureCard, type Failure } from '@shared/ui/page/Card';
import { PageFrame } from '@shared/ui/page/PageFrame';
import { Component, use, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { chunkLoadFailed, reloadRequested, selectHasCrashed } from './crash.slice';
import { SupportContext } from './eventLog';

/** A crash while rendering shows the app-level fallback message (docs/behaviour.md#errors), never a blank page. */
export function AppErrorBoundary({ children }: { readonly children: ReactNode }) {
  const dispatch = useDispatch();
  const support = use(SupportContext);
  const report = (error: unknown): void => {
    support?.report('drawing', error);
    if (isChunkLoadError(error)) dispatch(chunkLoadFailed());
  };
  return <Boundary onError={report}>{children}</Boundary>;
}

interface BoundaryProps {
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

/** React has no hook for this. */
class Boundary extends Component<BoundaryProps, { readonly thrown?: { readonly error: unknown } }> {
  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } };
  }

  override state: { readonly thrown?: { readonly error: unknown } } = {};

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    return thrown ? <Fallback {...thrown} /> : this.props.children;
  }
}

interface FallbackProps {
  /** What rendering threw. */
  readonly error?: unknown;
}

/**
 * The app-level fallback message, with a button that reloads the page. Empty while the page reloads automatically because a
 * chunk could not be fetched.
 */
export function Fallback({ error }: FallbackProps) {
  const dispatch = useDispatch();
  const hasCrashed = useSelector(selectHasCrashed);
  if (isChunkLoadError(error) && !hasCrashed) return null;
  return (
    <FatalNotice
      message={sessionMessages.fallback}
      action={{ label: sessionMessages.tryAgain, onClick: () => void dispatch(reloadRequested()) }}
      details={<Details />}
    />
  );
}

/** 'Copy details' (docs/behaviour.md#copy-details). An error is shown without it where its chunk cannot be fetched. */
export const Details = componentIn(
  createOptionalChunk(() => import(/* webpackChunkName: "crash" */ './CopyDetails.container')),
  (module) => module.CopyDetails,
);

/**
 * In place of the application when it cannot go on: the app-level fallback message, or what is wrong with the
 * configuration. Needs nothing but its message: no store, no configuration.
 */
export function FatalNotice(failure: Failure) {
  return (
    <PageFrame look="default">
      <FailureCard {...failure} />
    </PageFrame>
  );
}
