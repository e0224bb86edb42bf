import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** The parts of every page: their static imports are the shell. */
const shellEntries = /[\\/]src[\\/]web[\\/](root|routes[\\/]public[\\/]layout)\.tsx$/

/** So many pages share these that files of their own would cost more. */
const alsoInShell =
  /[\\/]src[\\/]web[\\/](lib[\\/]browser[\\/]hydrated|ui[\\/]feedback[\\/](notice|empty-state))\.tsx?$/

/** Pages with documents share these; a file of its own for each is too small to be compressed. */
const documentParts =
  /[\\/]src[\\/](shared[\\/](document-kinds|document-status|conversion|format|prices|collections)|web[\\/](domain[\\/](prices|login-link)|lib[\\/]login-intent|features[\\/](users[\\/]vip-badge|documents[\\/](reader[\\/](pages[\\/]page-layout|position[\\/]reading-positions)|kind-icon|kind-color|stars|cover|visibility[\\/]visibility-badges|download[\\/]price-word))))\.tsx?$|icons[\\/](bookmark|check|chevron-up|download|ellipsis|file-text|flag|library-big|message-square|minus|plus|rectangle-vertical|share-2)\.m?js$/

/** Pages with a form share these; reading pages need none of them. */
const formParts =
  /[\\/](src[\\/]web[\\/](lib[\\/](form|redirect)|ui[\\/]forms[\\/](field|input|password-input)|features[\\/]users[\\/]sign-in[\\/](sign-in-page|complete-sign-in|later-logins|captcha-field|captcha))\.tsx?|icons[\\/](eye(-off)?|refresh-cw)\.m?js)$/

/** Part of every page: a script that is loaded on demand need not preload them. */
const alwaysLoaded = /[\\/](vendor|shell|rolldown-runtime)-[^\\/]+\.js$/

export default defineConfig({
  publicDir: 'src/web/public',
  plugins: [tailwindcss(), reactRouter(), announceFailedPageScripts()],
  build: {
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps) => deps.filter((name) => !alwaysLoaded.test(name)),
    },
    // The admin screens are one large chunk, loaded only by the admin.
    chunkSizeWarningLimit: 1000,
  },
  // As externals, the server would load these libraries whole for the few parts that pages use.
  ssr: { noExternal: ['lucide-react', 'radix-ui', /^@radix-ui\//] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Calls that only build tables: unused ones can be dropped.
          treeshake: { manualPureFunctions: ['reasons', 'declareCodes'] },
          output: {
            // Shorter than the default of eight characters: the manifest, which every page loads, is mostly these names.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // Every page loads the vendor file, which seldom changes, and the shell; the page's own files are small.
            codeSplitting: {
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules[\\/](react|react-dom|scheduler|react-router|zod)[\\/]/,
                  priority: 2,
                },
                { name: nameShell, debugName: 'shell', priority: 1 },
                { name: 'forms', test: formParts },
                { name: 'documents', test: documentParts },
              ],
            },
          },
        },
      },
    },
  },
})

/** Dynamic imports are not part of the shell: menus and dialogs are loaded on demand. */
function nameShell(id: string, ctx: Rolldown.ChunkingContext): string | null {
  const visited = new Set<string>()
  const isInShell = (module: string): boolean => {
    if (shellEntries.test(module) || alsoInShell.test(module)) return true
    if (visited.has(module)) return false
    visited.add(module)
    return ctx.getModuleInfo(module)?.importers.some(isInShell) ?? false
  }
  const isCandidate = /[\\/]src[\\/].*\.tsx?$/.test(id) && !shellEntries.test(id)
  return isCandidate && isInShell(id) ? 'shell' : null
}

/**
 * React Router reloads the page whenever a page script fails to load, without end and without asking whether there is a
 * network. This makes it dispatch the event that Vite uses for its own chunks instead: lib/browser/reload.ts reloads if
 * the server has been upgraded. If not, the route gets a stand-in that throws until `load`, which the error page calls,
 * has succeeded (features/site/error-page.tsx).
 */
function announceFailedPageScripts(): Plugin {
  const reload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/
  const announce = `{
    const event = Object.assign(new Event('vite:preloadError'), { payload: error });
    window.dispatchEvent(event);
    await event.decided;
    let found;
    error.load = async () => {
      found ??= routeModulesCache[route.id] = await import(/* @vite-ignore */ route.module);
    };
    const clientLoader = async (args) => {
      await error.load();
      return found.clientLoader(args);
    };
    const StandIn = (props) => {
      if (!found) throw error;
      return found.default(props);
    };
    return { default: StandIn, clientLoader };
  }`
  return {
    name: 'announce-failed-page-scripts',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/]ssr[\\/]routeModules\.js$/ },
      handler(code) {
        if (!reload.test(code))
          this.error('react-router changed how it loads page scripts: see announceFailedPageScripts')
        return { code: code.replace(reload, announce), map: null }
      },
    },
  }
}
