import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { readDeviceToken, writeDeviceToken } from './signInCookies';

/** How long a page on a new device waits for its token before it leaves, ms. */
const longestWaitMs = 1500;

/**
 * Sends the device token to the service after a sign-in, so that a known device causes no mail (extension `notices`,
 * docs/behaviour.md#known-devices). A failure is ignored.
 *
 * @param bearer - the token of the sign-in
 */
export function* knowDevice(deps: Deps, bearer: string): SagaGenerator<void> {
  const { api, clock, config } = deps;
  if (!config.extensions.includes('notices')) return;
  const deviceToken = readDeviceToken(deps);
  const kept = api.devices.know(bearer, deviceToken === undefined ? {} : { deviceToken }).then(
    (response) => {
      writeDeviceToken(deps, response.deviceToken);
    },
    () => undefined,
  );
  if (deviceToken === undefined) yield* call(() => Promise.race([kept, clock.pause(longestWaitMs)]));
}
