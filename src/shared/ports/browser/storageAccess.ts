import type { StorageAccess } from '../ports';

/** The list of permitted features, which only Chromium has. */
interface FeatureList {
  readonly allowsFeature: (feature: string) => boolean;
}

/** The Storage Access API of this document. */
export function createStorageAccess({ document, navigator, isSecureContext }: Window): StorageAccess {
  return {
    isShared: async () => {
      if (!('hasStorageAccess' in document) || !isSecureContext) return true;
      try {
        return await document.hasStorageAccess();
      } catch {
        return true;
      }
    },
    outlook: async () => {
      if (!('requestStorageAccess' in document) || !isSecureContext) return 'unsupported';
      const { featurePolicy } = document as { readonly featurePolicy?: FeatureList };
      if (featurePolicy?.allowsFeature('storage-access') === false) return 'forbidden';
      return (await isGranted(navigator)) ? 'granted' : 'askable';
    },
    request: () =>
      document.requestStorageAccess().then(
        () => true,
        () => false,
      ),
  };
}

/** Whether access is granted; `false` as well if the browser does not tell. */
async function isGranted({ permissions }: Navigator): Promise<boolean> {
  try {
    const { state } = await permissions.query({ name: 'storage-access' });
    return state === 'granted';
  } catch {
    return false;
  }
}
