// A stand-in for the Redux DevTools extension: what its script puts into a page, with its messages, on the instrument
// that it is made of. The panel is the test, which posts what the extension's background would.
import { instrument } from '@redux-devtools/instrument';

const post = (message) => window.postMessage({ source: '@devtools-page', ...message }, '*');

/** As the extension's: a feature that is off is off for the panel too. */
const gates = {
  JUMP_TO_STATE: 'jump',
  JUMP_TO_ACTION: 'jump',
  TOGGLE_ACTION: 'skip',
  REORDER_ACTION: 'reorder',
  IMPORT_STATE: 'import',
  LOCK_CHANGES: 'lock',
  PAUSE_RECORDING: 'pause',
};

const instanceId = 1;

const enhancer = (config) => (next) => (reducer, state) => {
  const store = instrument(undefined, { maxAge: config.maxAge, trace: config.trace })(next)(reducer, state);
  // The panel is told nothing until it is open.
  let isActive = false;
  const relay = (libConfig) => {
    const { actionsById, computedStates, committedState, ...rest } = store.liftedStore.getState();
    post({
      type: 'STATE',
      payload: rest,
      actionsById: JSON.stringify(actionsById),
      computedStates: JSON.stringify(
        computedStates.map((computed, index) => ({
          ...computed,
          state: config.stateSanitizer(computed.state, index),
        })),
      ),
      committedState: committedState !== undefined,
      instanceId,
      libConfig,
    });
  };
  const receive = {
    START: () => {
      isActive = true;
      relay({ name: config.name, features: config.features, serialize: false, type: 'redux' });
    },
    UPDATE: () => relay(),
    DISPATCH: ({ payload }) => {
      const gate = gates[payload.type];
      if (gate === undefined || config.features[gate]) store.liftedStore.dispatch(payload);
    },
    IMPORT: ({ state: file }) => {
      if (!config.features.import) return;
      const parsed = JSON.parse(file);
      const { payload, preloadedState } = parsed;
      store.liftedStore.dispatch({
        type: 'IMPORT_STATE',
        nextLiftedState: payload === undefined ? parsed : JSON.parse(payload),
        preloadedState: preloadedState === undefined ? undefined : JSON.parse(preloadedState),
      });
    },
    // Where `features.export` is `true`, the panel writes what it was told instead.
    EXPORT: () => {
      const { actionsById, committedState, stagedActionIds } = store.liftedStore.getState();
      const payload = stagedActionIds.slice(1).map((id) => actionsById[id].action);
      post({
        type: 'EXPORT',
        payload: JSON.stringify(payload),
        committedState: JSON.stringify(committedState),
        instanceId,
      });
    },
  };
  window.addEventListener('message', ({ data, source }) => {
    if (source === window && data?.source === '@devtools-extension') receive[data.type]?.(data);
  });
  post({ type: 'INIT_INSTANCE', payload: undefined, instanceId });
  store.subscribe(() => {
    if (isActive) relay();
  });
  return store;
};

const compose =
  (config) =>
  (...enhancers) =>
  (...args) =>
    enhancers.reduceRight((made, enhance) => enhance(made), enhancer(config)(...args));

Object.assign(window, {
  __REDUX_DEVTOOLS_EXTENSION__: enhancer,
  __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: compose,
});
