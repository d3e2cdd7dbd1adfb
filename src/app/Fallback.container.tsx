import { sessionMessages } from '@features/session';
import { useDispatch } from 'react-redux';
import { reloadRequested } from './crash.slice';
import { FatalNotice } from './pages/FatalNotice';

/** The app-level fallback message, with the one way on: a part of the page may only have been lost on the way. */
export function Fallback() {
  const dispatch = useDispatch();
  return (
    <FatalNotice
      message={sessionMessages.fallback}
      action={{ label: sessionMessages.tryAgain, onClick: () => void dispatch(reloadRequested()) }}
    />
  );
}
