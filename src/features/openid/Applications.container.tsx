import { useDispatch, useSelector } from 'react-redux';
import { Applications } from './Applications';
import { applicationsRequested, disconnectRequested, selectApplications } from './applications.slice';

/** The connected applications at `/account-activity`. */
export function ConnectedApplications() {
  const dispatch = useDispatch();
  return (
    <Applications
      {...useSelector(selectApplications)}
      onTryAgain={() => void dispatch(applicationsRequested())}
      onDisconnect={(application) => void dispatch(disconnectRequested(application))}
    />
  );
}
