import { useLingui } from '@lingui/react';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { LinkGate } from '@shared/ui/page/LinkGate';
import { useDispatch, useSelector } from 'react-redux';
import { SecurityNotice } from './SecurityNotice';
import { securityNoticeMessages } from './securityNotice.messages';
import { noticeAnswered, noticeOpened, noticeRetried, selectSecurityNotice } from './securityNotice.slice';
import { Steps } from '@shared/ui/page/Steps';

/** `/security-notice/{hash}`. */
export function SecurityNoticeScreen() {
  const { _ } = useLingui();
  const state = useSelector(selectSecurityNotice);
  const dispatch = useDispatch();
  const isOpening = state.phase === 'opening' || state.phase === 'gate';
  return (
    <>
      <ScreenTitle screen={_(securityNoticeMessages.title)} />
      <Steps step={isOpening ? 'opening' : state.phase === 'answering' ? 'asking' : state.phase}>
        {isOpening ? (
          <LinkGate onOpen={state.phase === 'gate' ? () => void dispatch(noticeOpened()) : null} />
        ) : (
          <SecurityNotice
            state={state}
            onAnswer={(mine) => void dispatch(noticeAnswered({ mine }))}
            onTryAgain={() => void dispatch(noticeRetried())}
          />
        )}
      </Steps>
    </>
  );
}
