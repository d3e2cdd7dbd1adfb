import type { Text } from '@shared/texts';
import { deviceMessages } from './device.messages';

/** The browser and system of an event; each is `null` if unknown. */
interface ClientDetails {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The device, such as 'Firefox 153 on Windows'. */
export function deviceName({ browser, system }: ClientDetails): Text {
  const { browserOn, unknown } = deviceMessages;
  return browser !== null && system !== null ? browserOn(browser, system) : (browser ?? system ?? unknown);
}
