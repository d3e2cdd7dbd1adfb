import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { program } from 'commander';
import { followingVariables, readDeployment, type Deployment } from '../deployment.ts';
import { secretVariables, withSecretFiles, type Variables } from '../environment.ts';

/** Where `vestibule init` writes the file of the deployment. */
export const defaultFile = '/etc/vestibule/deployment.yaml';

/** The file of `--config`, if it is given. */
export const configFile = (): string | undefined => program.opts<{ readonly config?: string }>().config;

/** The deployment of `--config`, or of this machine; `null` without one. @throws DeploymentError */
export function deploymentInUse(): Deployment | null {
  const file = configFile() ?? (existsSync(defaultFile) ? defaultFile : null);
  return file === null ? null : readDeploymentFile(file);
}

/** @throws DeploymentError */
export const readDeploymentFile = (file: string): Deployment =>
  readDeployment(readFileSync(file, 'utf8'), path.dirname(file));

/** The variables of the deployment and, before them, those of the process, with the secrets that are in files. */
export function variables(deployment = deploymentInUse()): Variables {
  const isIgnored = (name: string): boolean => deployment !== null && followingVariables.includes(name);
  // An empty variable counts as not set, so it does not hide one of the file.
  const own: Variables = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== '' && !isIgnored(name)),
  );
  const replaced = new Set(secretVariables.flatMap((name) => (own[name] ? [`${name}_FILE`] : [])));
  const ofFile = Object.entries(deployment?.environment ?? {}).filter(([name]) => !replaced.has(name));
  return withSecretFiles({ ...Object.fromEntries(ofFile), ...own });
}
