import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder with the systemd units of the machine. */
const units = '/etc/systemd/system';

/** An address and a port on which a process accepts connections. */
export interface Listener {
  readonly host: string;
  readonly port: number;
}

/**
 * Where `vestibule.socket` listens, with the changes by `systemctl edit`: first for calls, then for redirects. It reads the files, because
 * `systemctl` needs D-Bus, and only some users may call it.
 */
export function listenersOfUnit(folder = units): readonly Listener[] {
  return settingsOf('vestibule.socket', folder).reduce<readonly Listener[]>((listeners, line) => {
    const [, address] = /^ListenStream=(.*)$/.exec(line) ?? [];
    if (address === undefined) return listeners;
    // An empty value takes the former ones back.
    if (address === '') return [];
    const [, host = '::', port] = /^(?:\[?([^\]]*?)\]?:)?(\d+)$/.exec(address) ?? [];
    return [...listeners, { host, port: Number(port) }];
  }, []);
}

/** The lines of a unit and of what `systemctl edit` adds to it. */
export function settingsOf(unit: string, folder = units): readonly string[] {
  const additions = path.join(folder, `${unit}.d`);
  const files = [
    path.join(folder, unit),
    ...(existsSync(additions) ? readdirSync(additions).sort() : []).map((name) => path.join(additions, name)),
  ];
  return files.filter((one) => existsSync(one)).flatMap((one) => readFileSync(one, 'utf8').split('\n'));
}
