/* What the inline scripts of the page share. */
import type { AppConfig } from '@vestibule/contract/appConfig';

/**
 * Reads the configuration without checking it. The application checks it when it starts.
 *
 * @throws Error if it is not JSON
 */
export const readConfiguration = (): AppConfig =>
  JSON.parse(document.getElementById('app-config')?.textContent ?? '') as AppConfig;

/**
 * Reads a cookie without `@vestibule/client`, which would double the script. A prefix contains no characters that must be
 * encoded.
 */
export function cookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1).replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
}

export function linkTo(rel: string, href: string): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = rel;
  link.crossOrigin = 'anonymous';
  link.href = href;
  return link;
}
