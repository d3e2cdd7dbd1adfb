import { useDispatch, useSelector } from 'react-redux';
import { OtherSessions } from './OtherSessions';
import { endOthersRequested, selectOtherSessions } from './otherSessions.slice';

/** Offers to end the user's other sessions, on the screen that shows a change of factors. */
export function OtherSessionsOffer() {
  const dispatch = useDispatch();
  return (
    <OtherSessions
      phase={useSelector(selectOtherSessions)}
      onEnd={() => void dispatch(endOthersRequested())}
    />
  );
}
