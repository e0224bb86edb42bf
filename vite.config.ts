import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

const later =
  /(shared[\\/](settings|setting-fields|permissions|format|names|document-kinds|document-status|conversion|preview|credits|ad-positions|rank)|contract[\\/](site|system|documents|attachments|search|articles|social|credits|contract)|lib[\\/](load-site|accent|captcha|check-in|copy-text|own-eyes|jump|upload-picture|crop[\w-]*)|site[\\/](user-menu|user-commands|check-in|check-in-words|mobile-drawer|home[\\/][\w-]+|suggest[\\/][\w-]+)|ui[\\/](dropdown-menu|dialog|confirm|pagination|textarea|breadcrumb|link-tabs|card|marked-text|captcha-field|path-select|deletable-rows|image-viewer[\w-]*|share-[\w-]+))\.tsx?$/

export default defineConfig({
  publicDir: 'src/web/public',
  plugins: [tailwindcss(), reactRouter(), announceFailedPageScripts()],
  build: {
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The admin's screens come as one piece, and only there.
    chunkSizeWarningLimit: 1000,
  },
  // Their whole collections would be loaded by the server for the few pieces that pages use.
  ssr: { noExternal: ['lucide-react', 'radix-ui', /^@radix-ui\//] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Tables of declared things: what is never read from one is not needed.
          treeshake: { manualPureFunctions: ['reasons'] },
          output: {
            // What every page needs comes in two files, one of which seldom changes; pages themselves are small.
            codeSplitting: {
              groups: [
                {
                  name: 'vendor',
                  test: /node_modules[\\/](react|react-dom|scheduler|react-router|zod)[\\/]/,
                  priority: 2,
                },
                { name: 'shell', test: partOfShell, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
})

/** What pages are made of and the frame around them; not what opens later or belongs to few pages. */
function partOfShell(id: string): boolean {
  return /[\\/]src[\\/](shared|web[\\/](lib|features[\\/]site|ui))[\\/]/.test(id) && !later.test(id)
}

/**
 * React Router reloads the page whenever a page script fails to load, without end. It shall say so instead, with the
 * event Vite uses for its own chunks; lib/reload.ts decides. If nobody reloads, the page that came is one that fails.
 */
function announceFailedPageScripts(): Plugin {
  const reload = /window\.location\.reload\(\);(\s*return new Promise\(\(\) => \{\s*\}\);)/
  const announce = `{
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: error });
    const fail = () => { throw error };
    if (window.dispatchEvent(event)) return { default: fail, clientLoader: fail };
  }`
  return {
    name: 'announce-failed-page-scripts',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].*[\\/]ssr[\\/]routeModules\.js$/ },
      handler(code) {
        if (!reload.test(code))
          this.error('react-router changed how it loads page scripts: see announceFailedPageScripts')
        return { code: code.replace(reload, (_found, rest: string) => announce + rest), map: null }
      },
    },
  }
}
