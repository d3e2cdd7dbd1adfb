import { sessionMessages } from '@features/session';
import { isChunkLoadError } from '@shared/api/apiError';
import { useDispatch, useSelector } from 'react-redux';
import { reloadRequested, selectHasCrashed } from './crash.slice';
import { FatalNotice } from './FatalNotice';

interface FallbackProps {
  /** What rendering threw. */
  readonly error?: unknown;
}

/**
 * The app-level fallback message, with the one way on. Nothing as long as a part that is missing may come by loading the
 * page anew, which is under way then.
 */
export function Fallback({ error }: FallbackProps) {
  const dispatch = useDispatch();
  const hasCrashed = useSelector(selectHasCrashed);
  if (isChunkLoadError(error) && !hasCrashed) return null;
  return (
    <FatalNotice
      message={sessionMessages.fallback}
      action={{ label: sessionMessages.tryAgain, onClick: () => void dispatch(reloadRequested()) }}
    />
  );
}
