/** Runs on the thread that finds and loads modules: tells the recorder about each ES module. */
let port;

const recordedEsbuild = new URL('./recorded-esbuild.ts', import.meta.url).href;

export function initialize(data) {
  port = data.port;
}

export function resolve(specifier, context, nextResolve) {
  const isOfApp = specifier === 'esbuild' && context.parentURL !== recordedEsbuild;
  return nextResolve(isOfApp ? recordedEsbuild : specifier, context);
}

export function load(url, context, nextLoad) {
  if (url.startsWith('file:')) {
    port.postMessage(url);
  }
  return nextLoad(url, context);
}
