import { tokenShape, yearMs } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SignedIn } from '@shared/slots';
import type { SagaGenerator } from 'typed-redux-saga';

/** How long a page on a new device waits for its token before it leaves, ms. */
const longestWaitMs = 1500;

/**
 * Sends the device token to the service after a sign-in, so that a known device causes no mail
 * (docs/behaviour.md#known-devices). A failure is ignored.
 */
export function* knowDevice(deps: Deps, { token: bearer }: SignedIn): SagaGenerator<void> {
  const { api, clock } = deps;
  const deviceToken = readDeviceToken(deps);
  const kept = api.notices.know(bearer, deviceToken === undefined ? {} : { deviceToken }).then(
    (response) => {
      writeDeviceToken(deps, response.deviceToken);
    },
    () => undefined,
  );
  if (deviceToken === undefined) yield* call(() => Promise.race([kept, clock.pause(longestWaitMs)]));
}

const cookieOf = ({ config }: Deps): string => `${config.cookies.prefix}-device`;

/**
 * The token by which the service knows this device, if any. If a sibling host has set another one, none of them can be trusted.
 */
function readDeviceToken(deps: Deps): string | undefined {
  const [token, ...others] = new Set(deps.cookies.readAll(cookieOf(deps)));
  return token !== undefined && others.length === 0 && tokenShape.test(token) ? token : undefined;
}

/** Keeps the token of this device for 365 days. A sign-out keeps it too. */
function writeDeviceToken(deps: Deps, token: string): void {
  const { clock, cookies } = deps;
  if (tokenShape.test(token)) cookies.write(cookieOf(deps), token, clock.now() + yearMs);
}
