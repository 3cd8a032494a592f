/** 出了什么问题、该怎么办：守护进程说的是英文，这里按它的代码用中文说。原话另附。 */
import type { Words } from "./en";

export const problems: Words["problems"] = {
  "bad-input": { message: "有一处填写不能接受。", remedy: "按下面的原话改一改，再试一次。" },
  "not-found": { message: "没有找到它，也许已经被删除。", remedy: "刷新页面，看看现在还有什么。" },
  conflict: { message: "现在还不行，它正忙着别的。", remedy: "等它忙完，再试一次。" },
  config: { message: "设置里有一处不能用。", remedy: "按下面的原话检查 config.toml。" },
  "port-down": { message: "外面的一个服务没有回应。", remedy: "稍后再试一次。" },
  "embedder-down": { message: "按意思查找暂时不能用，按字词查找仍然可以。", remedy: "用「echovessel doctor」看看缺了什么。" },
  "model-failed": { message: "模型没有给出能用的回答。", remedy: "再试一次；如果总是这样，请检查模型设置。" },
  "model-unreachable": { message: "连不上模型服务。", remedy: "请启动模型服务，或在设置里检查地址和端口。" },
  "model-refused-key": { message: "模型服务不接受这个密钥。", remedy: "请在设置里检查密钥：是否完整、有效，是不是这家服务的。" },
  "model-busy": { message: "模型服务太忙了。", remedy: "过一会儿再试。" },
  "model-rejected": { message: "模型服务拒绝了这次请求。", remedy: "请在设置里检查模型名和地址，按「测试」可以看到它有哪些模型。" },
  "model-timeout": { message: "模型太久没有回应。", remedy: "它可能还在加载，或对那台电脑来说太大。请再试一次。" },
  "model-cut": { message: "模型说到一半断了。", remedy: "再试一次。" },
  "model-empty": { message: "模型回应了，却什么也没有说。", remedy: "再试一次，或换一个模型。" },
  "model-garbage": { message: "模型服务发来的东西读不懂。", remedy: "请检查地址是否指向一个兼容 OpenAI 协议的服务。" },
  "daily-cap": { message: "今天的用量上限到了。", remedy: "明天会继续；也可以在 config.toml 里提高上限。" },
  interrupted: { message: "程序在写回复时停下了，这句回复被打断。", remedy: "按「再试一次」，重新写一遍。" },
  defect: { message: "写回复时，EchoVessel 内部出了错。", remedy: "按「再试一次」。如果又出错，请看主目录里的日志，并告诉我们。" },
  "too-large": { message: "内容太大了。", remedy: "分成几次发送。" },
  "too-slow": { message: "内容没有及时传完。", remedy: "再发一次。" },
  "host-not-allowed": { message: "不允许从这个地址访问。", remedy: "请用 http://localhost 加端口打开，或在 config.toml 里允许这个主机名。" },
  "origin-not-allowed": { message: "这个请求来自别的网站。", remedy: "请直接打开 EchoVessel 的页面。" },
  "no-token": { message: "没有口令。", remedy: "请重新打开页面，出示口令。" },
  "wrong-token": { message: "口令不对。", remedy: "请重新打开页面，出示口令。" },
};
