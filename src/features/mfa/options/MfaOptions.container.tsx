import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@shared/routing/paths';
import { useDispatch, useSelector } from 'react-redux';
import { mfaMessages } from '../mfa.messages';
import { setupMethodChosen } from '../setup/setup.slice';
import { useWay } from '../setup/useWay.container';
import { MfaOptions } from './MfaOptions';

/** `/mfa-options`: the choice of a method. */
export function MfaOptionsScreen() {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  return (
    <>
      <ScreenTitle screen={mfaMessages.setupTitle} />
      <MfaOptions
        takesFocus={!embedded}
        back={useWay(paths.accountSettings())}
        onChoose={(method) => void dispatch(setupMethodChosen({ method }))}
      />
    </>
  );
}
