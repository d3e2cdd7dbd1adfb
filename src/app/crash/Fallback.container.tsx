import { useLingui } from '@lingui/react';
import { sessionMessages } from '@features/session';
import { isChunkLoadError } from '@shared/api/apiError';
import { componentIn, createOptionalChunk } from '@shared/chunk';
import { keepForms, removeFormerPage } from '@shared/ports/browser/keepForms';
import { FailureCard, type Failure } from '@shared/ui/page/Card';
import { PageFrame } from '@shared/ui/page/PageFrame';
import { Component, use, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { chunkLoadFailed, reloadRequested, selectHasCrashed } from './crash.slice';
import { SupportContext } from './eventLog';

/** Shows the fallback message (docs/behaviour.md#errors) if rendering has thrown. */
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

/** The page is mounted again at most this often. After that, the page itself must be the cause. */
const mostDrawings = 20;

interface BoundaryState {
  readonly thrown?: { readonly error: unknown } | undefined;
}

/**
 * This is a class, because React has no hook for error boundaries. If a translator or an extension has moved an element, the
 * page is mounted again, and the forms keep their contents (docs/behaviour.md#translators-and-extensions).
 */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { thrown: { error } };
  }

  override state: BoundaryState = {};
  private drawings = 0;
  private putBack: (() => void) | undefined;

  /** Runs before React changes the document, so the forms are still there. */
  override getSnapshotBeforeUpdate(): null {
    if (this.isDrawnAnew()) this.putBack = keepForms();
    return null;
  }

  override componentDidUpdate(): void {
    if (this.isDrawnAnew()) {
      removeFormerPage();
      return;
    }
    if (!this.state.thrown) this.putBack?.();
    this.putBack = undefined;
  }

  override componentDidCatch(error: unknown): void {
    if (this.isDrawnAnew()) {
      this.drawings += 1;
      this.setState({ thrown: undefined });
    } else this.props.onError(error);
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (!thrown) return this.props.children;
    return this.isDrawnAnew() ? null : <Fallback {...thrown} />;
  }

  /** `removeChild` and `insertBefore` throw a `NotFoundError` if an element is not where React has put it. */
  private isDrawnAnew(): boolean {
    const error = this.state.thrown?.error as { readonly name?: unknown } | null | undefined;
    return error?.name === 'NotFoundError' && this.drawings < mostDrawings;
  }
}

interface FallbackProps {
  /** The error that rendering threw. */
  readonly error?: unknown;
}

/**
 * The fallback message with a button that reloads the page. It is empty while the page reloads automatically because a chunk
 * could not be fetched.
 */
export function Fallback({ error }: FallbackProps) {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  const hasCrashed = useSelector(selectHasCrashed);
  if (isChunkLoadError(error) && !hasCrashed) return null;
  return (
    <FatalNotice
      message={_(sessionMessages.fallback)}
      action={{ label: _(sessionMessages.tryAgain), onClick: () => void dispatch(reloadRequested()) }}
      details={<Details />}
    />
  );
}

/** 'Copy details' (docs/behaviour.md#copy-details). It is left out if its chunk cannot be fetched. */
export const Details = componentIn(
  createOptionalChunk(() => import(/* webpackChunkName: "crash" */ './CopyDetails.container')),
  (module) => module.CopyDetails,
);

/** Replaces an application that cannot start or go on. It needs neither a store nor a configuration. */
export function FatalNotice(failure: Failure) {
  return (
    <PageFrame look="default">
      <FailureCard {...failure} />
    </PageFrame>
  );
}
