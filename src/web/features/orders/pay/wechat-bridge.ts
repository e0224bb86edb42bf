interface WeChatBridge {
  invoke: (name: string, parameters: Record<string, string>, done: (result: { err_msg?: string }) => void) => void
}

declare global {
  interface Window {
    /** Of the browser inside WeChat, once it is ready. */
    WeixinJSBridge?: WeChatBridge
  }
}

/** Opens the payment inside WeChat; false if the buyer closed it. That it says `ok` proves nothing: the server is asked. */
export async function payInsideWeChat(parameters: Record<string, string>): Promise<boolean> {
  const bridge = window.WeixinJSBridge ?? (await bridgeReady())
  return new Promise((done) => {
    bridge.invoke('getBrandWCPayRequest', parameters, ({ err_msg }) => done(err_msg !== wasCancelled))
  })
}

const wasCancelled = 'get_brand_wcpay_request:cancel'

function bridgeReady(): Promise<WeChatBridge> {
  return new Promise((done) => {
    const take = () => window.WeixinJSBridge && done(window.WeixinJSBridge)
    document.addEventListener('WeixinJSBridgeReady', take, { once: true })
  })
}
