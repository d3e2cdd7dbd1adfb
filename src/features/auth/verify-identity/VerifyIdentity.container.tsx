import { useLingui } from '@lingui/react';
import { selectClaims, selectIsEmbedded, selectSignInName } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { useFeatures } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { BackLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import { Sentence } from '@shared/ui/Name';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useRef, type RefObject } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { verifyMessages } from './verifyIdentity.messages';
import {
  providerAbandoned,
  providerRequested,
  selectProviderAttempt,
} from '../provider/providerAttempt.slice';
import { ProviderPanel, useFocusAfterPanel } from '../provider/ProviderPanel';
import {
  identityPasswordSubmitted,
  identityProvidersRequested,
  selectVerifyIdentity,
  type Proof,
} from './verification.slice';
import { PasswordProof, ProviderProof } from './VerifyIdentityForm';

const words = verifyMessages;

/** `/ask-password/{authystatus}` and `/reset-password-verify`. See docs/behaviour.md#proof-of-identity. */
export function VerifyIdentity() {
  const { _ } = useLingui();
  const screen = useSelector(selectVerifyIdentity);
  const claims = useSelector(selectClaims);
  const takesFocus = !useSelector(selectIsEmbedded);
  const features = useFeatures();
  // Another way is not offered for a change of the password, which needs the old password.
  const { route } = useSelector(selectLocation);
  const ways = route === 'changeVerify' ? [] : features;
  // If there is a password field, it has the focus.
  const startsAtTitle = takesFocus && screen.phase !== 'closed' && screen.proof.by === 'provider';
  const title = useAutoFocus<HTMLHeadingElement>(startsAtTitle);
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Card
        titleRef={title}
        title={claims?.firstName ? <Sentence of={words.greeting(claims.firstName)} /> : _(words.title)}
        lead={_(words.text)}
        above={<BackLink label={_(words.back)} to={paths.accountSettings()} />}
      >
        {screen.phase !== 'closed' && claims && (
          <ProofForm
            proof={screen.proof}
            busy={screen.phase === 'preparing' || screen.phase === 'checking'}
            disabled={screen.phase !== 'asking'}
            email={claims.email}
            takesFocus={takesFocus}
            title={title}
          />
        )}
        {screen.phase !== 'closed' &&
          ways.map(
            ({ name, way }) =>
              way && (
                <way.Button
                  key={name}
                  busy={screen.phase === 'otherWay' && screen.way === name}
                  disabled={screen.phase !== 'asking'}
                />
              ),
          )}
      </Card>
    </>
  );
}

function ProofForm({
  proof,
  busy,
  disabled,
  email,
  takesFocus,
  title,
}: {
  readonly proof: Proof;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly email: string;
  readonly takesFocus: boolean;
  readonly title: RefObject<HTMLHeadingElement | null>;
}) {
  const dispatch = useDispatch();
  const username = useSelector(selectSignInName);
  if (proof.by === 'password')
    return (
      <PasswordProof
        email={email}
        username={username}
        busy={busy}
        disabled={disabled}
        failures={proof.failures}
        takesFocus={takesFocus}
        // `mode=verify`: the back link of that screen leads to the settings.
        forgot={paths.forgotPassword('?mode=verify')}
        onPassword={(password) => void dispatch(identityPasswordSubmitted(password))}
      />
    );
  return <ProviderForm proof={proof} busy={busy} disabled={disabled} email={email} title={title} />;
}

function ProviderForm({
  proof: { known, providers, checked },
  busy,
  disabled,
  email,
  title,
}: {
  readonly proof: Extract<Proof, { by: 'provider' }>;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly email: string;
  readonly title: RefObject<HTMLHeadingElement | null>;
}) {
  const dispatch = useDispatch();
  const attempt = useSelector(selectProviderAttempt);
  const buttons = useRef<HTMLDivElement>(null);
  useFocusAfterPanel({ title, buttons, offered: providers, provider: attempt, busy });
  return (
    <>
      <ProviderPanel
        attempt={attempt}
        buttons={providers.length > 1 ? words.choice : { google: words.next, microsoft: words.next }}
        onCancel={() => void dispatch(providerAbandoned())}
        onOpenAgain={() => attempt && void dispatch(providerRequested(attempt.method))}
      />
      <ProviderProof
        email={email}
        known={known}
        providers={providers}
        busy={busy}
        disabled={disabled}
        checked={checked}
        buttons={buttons}
        onProvider={(provider) =>
          void dispatch(provider ? providerRequested(provider) : identityProvidersRequested())
        }
      />
    </>
  );
}
