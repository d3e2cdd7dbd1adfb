import { useLingui } from '@lingui/react';
import { sessionMessages, signInChosen } from '@features/session';
import { Button } from '@shared/ui/buttons/Button';
import { Spinner } from '@shared/ui/buttons/Spinner';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { useDispatch, useSelector } from 'react-redux';
import { selectWait } from './wait.slice';

/** Replaces a screen that takes longer than a second. A user who does not want to wait for the check of an old session can sign in. */
export function Wait() {
  const { _ } = useLingui();
  const what = useSelector(selectWait);
  const dispatch = useDispatch();
  if (what === null) return null;
  return (
    <Card>
      <div className={layout['row']} role="status">
        <Spinner />
        <h1 className={layout['sentence']}>
          {_(what === 'session' ? sessionMessages.checking : sessionMessages.loading)}
        </h1>
      </div>
      {what === 'session' && (
        <Button onClick={() => void dispatch(signInChosen())}>{_(sessionMessages.signIn)}</Button>
      )}
    </Card>
  );
}
