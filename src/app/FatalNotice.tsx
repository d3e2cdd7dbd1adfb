import { FailureCard, type Failure } from '@shared/ui/FailureCard';
import { PageFrame } from '@shared/ui/PageFrame';

/**
 * In place of the application when it cannot go on: the app-level fallback message (specification §2, forms), or what is
 * wrong with the configuration. Needs nothing but its message: no store, no configuration.
 */
export function FatalNotice(failure: Failure) {
  return (
    <PageFrame look="default">
      <FailureCard {...failure} />
    </PageFrame>
  );
}
