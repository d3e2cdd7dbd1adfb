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

const enhancer = (config) => (next) => (reducer, state) => {
  const store = instrument(undefined, { maxAge: config.maxAge, trace: config.trace })(next)(reducer, state);
  const relay = () => {
    const { actionsById, computedStates, stagedActionIds, currentStateIndex } = store.liftedStore.getState();
    const actions = stagedActionIds.map((id) => config.actionSanitizer(actionsById[id].action, id));
    const states = computedStates.map((computed, index) => config.stateSanitizer(computed.state, index));
    post({ type: 'STATE', payload: { actions, states, currentStateIndex } });
  };
  const receive = {
    START: relay,
    DISPATCH: ({ payload }) => {
      const gate = gates[payload.type];
      if (gate === undefined || config.features[gate]) store.liftedStore.dispatch(payload);
    },
    EXPORT: () => {
      const { actionsById, committedState, stagedActionIds } = store.liftedStore.getState();
      const payload = stagedActionIds.slice(1).map((id) => actionsById[id].action);
      post({ type: 'EXPORT', payload: JSON.stringify({ payload, committedState }) });
    },
  };
  window.addEventListener('message', ({ data }) => {
    if (data?.source === '@devtools-extension') receive[data.type]?.(data);
  });
  post({ type: 'INIT_INSTANCE' });
  store.subscribe(relay);
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
