/** 出了什么问题、该怎么办：常驻程序说的是英文，这里按它的代码、栏目或句子用中文说。只认得代码时，原话另附。 */
import type { Problems } from "./problems";

const codes: Problems["codes"] = {
  "bad-input": { message: "有一处填写不能接受。", remedy: "请按下面的原话改一改。" },
  "not-found": { message: "没有找到它，也许已经被删除。", remedy: "刷新页面，看看现在还有什么。" },
  conflict: { message: "现在还不行，它正忙着别的。", remedy: "等它忙完再来。" },
  config: { message: "设置里有一处不能用。", remedy: "按下面的原话检查 config.toml。" },
  "port-down": { message: "外面的一个服务没有回应。", remedy: "过一会儿再来。" },
  "store-down": { message: "数据库现在没有回应，这一次什么也没有存下。", remedy: "看看磁盘空间，以及有没有别的程序开着数据库，然后再来。" },
  "disk-full": { message: "磁盘满了，什么也存不下。", remedy: "请在数据文件夹所在的磁盘上腾出空间，再来一次；以前的都还在。" },
  "disk-read-only": { message: "数据文件夹所在的磁盘只能读，什么也存不下。", remedy: "请让它可以写入，再来一次；以前的都还在。" },
  "disk-failing": { message: "磁盘读写出错了，这一次什么也没有存下。", remedy: "请看看磁盘的空间和好坏，再来一次。" },
  "at-next-start": { message: "有的设置改了，还没有生效。", remedy: "停下 EchoVessel 再启动，就生效了。" },
  "store-gone": { message: "数据库文件被移走、换掉或删除了，现在什么也存不下。", remedy: "请把它放回原处，或停下 EchoVessel，等数据文件夹就位后再启动。" },
  "backup-failed": { message: "备份没有做成。", remedy: "请看备份文件夹在不在、能不能写入、磁盘够不够；也可以在 config.toml 的 [backup] 里换一个地方。" },
  "kept-elsewhere": { message: "数据在 PostgreSQL 里，由它自己的工具备份。", remedy: "请用 pg_dump 备份，用 pg_restore 恢复。" },
  "embedder-down": { message: "按意思查找暂时不能用，按字词查找仍然可以。", remedy: "用「echovessel doctor」看看缺了什么。" },
  "model-failed": { message: "模型没有给出能用的回答。", remedy: "如果总是这样，请检查模型设置。" },
  "model-unreachable": { message: "连不上模型服务。", remedy: "请启动模型服务，或在设置里检查地址和端口。" },
  "model-refused-key": { message: "模型服务不接受这个密钥。", remedy: "请在设置里检查密钥：是否完整、有效，是不是这家服务的。" },
  "model-busy": { message: "模型服务太忙了。", remedy: "请过一会儿再来；如果总是这样，说明套餐额度太低。" },
  "model-rejected": { message: "模型服务拒绝了这次请求。", remedy: "请在设置里检查模型名和地址，按「测试」可以看到它有哪些模型。" },
  "model-timeout": { message: "模型太久没有回应。", remedy: "它可能还在加载，或对那台电脑来说太大。" },
  "model-cut": { message: "模型说到一半断了。", remedy: "如果总是这样，请看看模型服务的日志。" },
  "model-empty": { message: "模型回应了，却什么也没有说。", remedy: "如果总是这样，请换一个模型。" },
  "model-garbage": { message: "模型服务发来的东西读不懂。", remedy: "请检查地址是否指向一个兼容 OpenAI 协议的服务。" },
  "model-small-context": { message: "它一次读不下多少话，早些的话会被省略。", remedy: "请在模型程序里调大上下文长度，或换一个能读更多的模型。" },
  "model-slow-start": { message: "它要等很久才说出第一个字。", remedy: "它可能刚在加载；如果总是这样，请换一个小一点的模型。" },
  "model-slow": { message: "它说得很慢。", remedy: "请换一个小一点的模型，或放到更快的电脑上运行。" },
  "model-file": { message: "模型文件运行不了。", remedy: "请看下面的原话，并检查「模型文件」一栏。" },
  "daily-cap": { message: "今天的用量上限到了。", remedy: "明天会继续；也可以在设置里提高上限。" },
  interrupted: { message: "程序在写回复时停下了，这句回复被打断。", remedy: "按下面的按钮，重新写一遍。" },
  defect: { message: "写回复时，EchoVessel 内部出了错。", remedy: "按下面的按钮重写。如果又出错，请看数据文件夹里的日志，并告诉我们。" },
  "too-large": { message: "内容太大了。", remedy: "分成几次发送。" },
  "two-lengths": { message: "这个请求的长度写了两种，不能接受。", remedy: "请直接打开 EchoVessel 的页面，或检查中间的代理。" },
  "too-slow": { message: "内容没有及时传完。", remedy: "请重新发送。" },
  "host-not-allowed": { message: "不允许从这个地址访问。", remedy: "请用 http://localhost 加端口打开，或在 config.toml 里允许这个主机名。" },
  "origin-not-allowed": { message: "这个请求来自别的网站。", remedy: "请直接打开 EchoVessel 的页面。" },
  "no-token": { message: "没有口令。", remedy: "请重新打开页面，出示口令。" },
  "wrong-token": { message: "口令不对。", remedy: "请重新打开页面，出示口令。" },
};

const fields: Problems["fields"] = {
  base_url: { message: "这个地址不能用。", remedy: "请写完整，以 http:// 或 https:// 开头，例如 http://localhost:11434/v1。" },
  model: { message: "这个模型名不能用。", remedy: "模型名只能有一行，最多 200 个字。" },
  api_key: { message: "这个密钥不能用。", remedy: "请重新复制，单独一行，前后不要多出东西。" },
  name: { message: "这个名字不能用。", remedy: "名字不能空着，只能有一行，最多 100 个字。" },
  basis: { message: "代表真人的人物需要写明依据。", remedy: "请在「依据是什么？」里写明本人的同意，或别的依据。" },
  zone: { message: "没有这个时区。", remedy: "请从列表里选一个，例如 Asia/Shanghai。" },
  tagline: { message: "这句介绍不能用。", remedy: "只能有一行，请写短一些。" },
  text: { message: "这段文字不能用。", remedy: "不能空着，也不能超过 100,000 个字；太长请分成几次。" },
};

const anotherCopy = "请重新下载或复制这个文件。";
const original = "请用角色卡的原图：转发、压缩或换格式都会丢掉图里的卡。";
const cards: Problems["sentences"] = [
  ["This is a picture without a character card", { message: "这张图片里没有角色卡。", remedy: original }],
  ["This picture is not a PNG", { message: "这张图片不是 PNG，只有 PNG 图片里才有角色卡。", remedy: original }],
  ["This PNG file is cut short", { message: "这个 PNG 文件不完整，角色卡还没出现就断了。", remedy: anotherCopy }],
  ["The compressed card data in this picture is damaged", { message: "图片里的角色卡已经损坏。", remedy: anotherCopy }],
  ["The card data is damaged", { message: "角色卡的数据已经损坏。", remedy: anotherCopy }],
  ["This file is no valid JSON", { message: "这个文件不是完整的 JSON。", remedy: "请给 JSON 或 PNG 角色卡；如果文件被截断了，请重新下载或复制。" }],
  ["The card's text is longer than", { message: "角色卡的文字太长了。", remedy: "请去掉嵌在 JSON 里的图片。" }],
  ["The card data in this picture unpacks to more than", { message: "图片里的数据解开后大得不像角色卡。", remedy: "没有这么长的角色卡，请不要用这个文件。" }],
  ["This zip is an export of EchoVessel", { message: "这个 zip 是 EchoVessel 导出的：一个人物，以及说过的一切。", remedy: "请在命令行里导入：「echovessel import FILE」会做出人物，并带来消息。" }],
  ["This is a CHARX archive", { message: "这是 CHARX 压缩包，现在还不能读。", remedy: "请在原来的程序里把这个人物导出成 PNG 或 JSON。" }],
  ["This is a lorebook", { message: "这是一本世界书，现在还不能读。", remedy: "请给角色卡；世界书里要紧的内容，可以自己写进人物的核心块。" }],
  ["This file holds one JSON object a line", { message: "这个文件像聊天记录，不是角色卡。", remedy: "请先有人物，再用「echovessel import」导入聊天记录。" }],
  ["This JSON file is no character card", { message: "这个 JSON 文件不是角色卡，里面没有角色卡的内容。", remedy: "请给 V1、V2 或 V3 角色卡，至少要有名字或描述。" }],
  ["This JSON file holds no object", { message: "这个 JSON 文件不是角色卡。", remedy: "请给 V1、V2 或 V3 角色卡。" }],
  ["This file is neither a PNG picture nor text", { message: "这个文件既不是 PNG 图片，也不是 UTF-8 文字。", remedy: "请给 PNG 角色卡，或以 UTF-8 保存的 JSON 角色卡。" }],
  ["The file is empty", { message: "这个文件是空的。", remedy: "请给 JSON 或 PNG 角色卡。" }],
  ["The body is empty", { message: "这个文件是空的。", remedy: "请给 JSON 或 PNG 角色卡。" }],
];

const models: Problems["sentences"] = [
  [" has no model called ", { message: "服务里没有这个模型。", remedy: "请从它的模型里选一个，或先在那里加载这个模型。" }],
  ["No model is chosen at ", { message: "还没有选模型。", remedy: "请填上模型名，或按「测试」看看有哪些。" }],
  ["there is no chat at ", { message: "地址有回应，但那里没有对话接口。", remedy: "请检查地址：一般以 /v1 结尾，例如 http://localhost:11434/v1。" }],
  ["There is no computer called ", { message: "找不到这个地址的主机，或网络断了。", remedy: "请检查地址的拼写和网络。" }],
  ["There is no model file ", { message: "那里没有这个模型文件。", remedy: "请检查「模型文件」一栏：要写完整的路径，文件名以 .gguf 结尾。" }],
  ["names the folder ", { message: "「模型文件」里写的是文件夹，不是文件。", remedy: "请写出文件夹里的那个 .gguf 文件。" }],
  [" is no GGUF file.", { message: "这个文件不是 GGUF 格式。", remedy: "请换成这个模型的 GGUF 文件，文件名以 .gguf 结尾。" }],
  [" is cut short.", { message: "模型文件不完整。", remedy: "请重新取得这个文件，并核对它的大小。" }],
  [" is a later part of a model ", { message: "这是分成几个文件的模型的后面一部分。", remedy: "请在「模型文件」里写第一部分（00001）。" }],
  [" has several parts, and ", { message: "这个模型分成几个文件，缺了其中一个。", remedy: "请把所有部分放在同一个文件夹里，「模型文件」写第一部分。" }],
  [" is a model for searching, ", { message: "这是用来检索的模型，不会说话。", remedy: "请换成用来对话的模型，名字里常有 instruct 或 chat。" }],
  [" GB of memory, and ", { message: "内存装不下这个模型。", remedy: "请关掉别的程序、在 config.toml 里调小 context_tokens，或换小一点的模型。" }],
  ["the package xllamacpp is missing", { message: "没有安装运行模型文件的软件包。", remedy: "请运行 pip install \"echovessel[local]\"，再重新启动 EchoVessel。" }],
  ["The engine crashed when it loaded ", { message: "加载这个模型文件时，运行它的程序崩溃了。", remedy: "请重新取得这个文件；如果文件完好，可能是内存不够，请换一个模型。" }],
];

const labels: Problems["labels"] = { base_url: "地址", model: "模型", api_key: "密钥", api_key_file: "密钥文件", file: "「模型文件」" };

export const problems: Problems = { codes, fields, sentences: [...cards, ...models], labels };
