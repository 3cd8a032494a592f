"""What a name looks like: a capital in Latin letters; in Chinese a surname with a given name or a title, 小雨, 老郑, 豆豆.

Shape alone takes ordinary words for names (小时, 高兴, Monday): lists of those keep them out, and what follows a Chinese
name must be something that can.
"""

import re
from functools import cache

_HAN = r"[\u3400-\u9fff]"
_SURNAMES = (
    "王李张刘陈杨赵黄吴徐孙朱胡郭林罗郑梁谢宋唐冯邓曹彭肖蔡潘袁董苏叶吕魏蒋杜丁沈姜范傅钟卢汪戴崔陆廖姚邱"
    "夏谭韦贾邹熊孟秦薛侯阎龙陶黎郝孔尹周马高何许曾程韩贺柳俞金石方江田顾钱史毛温康施严武葛倪樊庄戚章鲁庞"
    "聂焦翁岳季纪褚"
)
_TITLES = "老师|师傅|主任|经理|医生|大夫|教授|阿姨|叔叔|大叔|大姐|大哥|大爷|奶奶|爷爷|总|姐|哥|叔|姨|伯|婶|嫂|导|工"
_TITLED = rf"[{_SURNAMES}](?:{_TITLES})"
_SMALL = rf"小{_HAN}|阿{_HAN}|[老大][{_SURNAMES}]"
_DOUBLED = r"(?P<half>[\u3400-\u9fff])(?P=half)"
_FULL = rf"[{_SURNAMES}]{_HAN}{{1,2}}?"
_LATIN = (
    r"(?:(?:Mr|Mrs|Ms|Dr|Miss)\.? )?[A-Z][a-z\u00e0-\u024f]+(?:[-'][A-Z]?[a-z]{2,})?"
    r"(?: [A-Z][a-z\u00e0-\u024f]+)?(?![A-Za-z0-9_-])"
)
_ENDS = (
    r"(?=$|[\s，。！？、,.!?；;：:”\"』」）)~～]|[昨今明前后在是要也都就又说去来给和跟的从把被想有没不刚才很真最已正还会能可以住做考吃生病打"
    r"送带让陪约教请帮找问走买过上下到回开喜爱同两一这那每特太挺总常当因非超居竟终曾决搬结离嫁养学写画唱跑升辞换拿天见])"
)

ZH = re.compile(rf"(?P<name>{_TITLED}|{_SMALL}|{_DOUBLED}|{_FULL}){_ENDS}|(?P<latin>{_LATIN})")
"""A name in Chinese text, which stands where the match begins."""
ZH_WHOLE = re.compile(rf"(?P<name>{_TITLED}|{_SMALL}|{_DOUBLED}|[{_SURNAMES}]{_HAN}{{1,2}})|(?P<latin>{_LATIN})")
"""The same where both ends are known."""
ZH_PET = re.compile(
    rf"(?P<name>(?![我你您他她它了个得着不没大声唤醒起什谁一两几来出也就都]){_HAN}{{1,4}})|(?P<latin>{_LATIN})"
)
"""What an animal may be called: anything."""
EN = re.compile(rf"(?P<name>{_LATIN})|(?P<han>{_TITLED}|{_SMALL}|{_DOUBLED}|{_FULL})(?!{_HAN})")
"""A name in English text."""

_ORDINARY = """
小时 小学 小心 小区 小孩 小吃 小说 小组 小声 小事 小气 小便 小型 小米 小伙 小狗 小猫 小猪 小鸟 小朋 小店 小车 小人
小病 小雪 小满 小暑 小寒 小贩 小费 小看 小住 小聚 小睡 小酌 小众 小册 小院 小路 小镇 小城 小河 小船 小刀 小票 小时候
小妹 小弟 小姨 小舅 小叔 小姑 阿姨 阿公 阿婆 阿妈 阿爸 老是 老家 老板 老公 老婆 老师 老人 老爱 老想 老了 老样 老实
老去 大学 大概 大家 大方 大约 大人 大哭 大声 大夫 大姐 大哥 大伯 大叔 大爷 大姨 大妈 高兴 高考 高中 高烧 高铁 高血
高三 高二 高一 高手 许多 许诺 马上 周末 周围 周年 周一 周二 周三 周四 周五 周六 周日 何必 何况 何时 夏天 夏季 胡说
江南 江边 田里 田间 钱包 金融 石头 方便 方法 方面 方向 程序 程度 温柔 温和 温暖 康复 张罗 张口 张开 王牌 李子 陈旧
苏醒 黄瓜 黄色 黄昏 林子 唐诗 宋词 杨梅 孙子 孙女 谢谢 曾经 顾着 顾不 严重 严肃 严格 武术 史上 毛病 毛衣 施工 章鱼
季节 季度 纪念 纪律 程门 韩国 韩语 韩剧 熊猫 龙虾 龙眼 叶子 朱红 常常 刚刚 天天 慢慢 偏偏 偷偷 悄悄 渐渐 仅仅 往往
早早 好好 大大 多多 轻轻 默默 处处 时时 年年 月月 日日 人人 个个 家家 事事 样样 妈妈 爸爸 姐姐 哥哥 弟弟 妹妹 爷爷
奶奶 叔叔 舅舅 姑姑 太太 公公 婆婆 伯伯 狠狠 明明 整整 足足 远远 紧紧 牢牢 频频 连连 娃娃 星星 谢谢你 哈哈 呵呵 嘿嘿
嘻嘻 哇哇 啦啦 她 他 它 我 你 谁 这 那 人 名字 什么
"""
_NO_NAMES = """
i he she it we you they this that these those there here who what when where why how which my your his her our their
its the a an and but so or if yes no not oh ok okay well hey hi hello wow lol omg thanks thank please sorry maybe
also just then now today tomorrow yesterday tonight one two both all some any every each only even still because
since while after before until as at by for from in of on to with god monday tuesday wednesday thursday friday
saturday sunday january february march april june july august september october november december christmas easter
thanksgiving halloween english chinese french german spanish italian japanese korean russian indian american british
european african asian mexican canadian australian swedish dutch polish irish scottish catholic christian muslim
jewish buddhist mr mrs ms dr miss mom mum mother dad father grandma grandpa auntie aunt uncle sis bro sir madam
internet instagram facebook twitter youtube tiktok wechat google amazon netflix uber ikea zoom covid tv phd mba
"""
_TITLE_WORDS = frozenset(["mr", "mrs", "ms", "dr", "miss"])


@cache
def _ordinary() -> frozenset[str]:
    return frozenset(_ORDINARY.split())


@cache
def _no_names() -> frozenset[str]:
    return frozenset(_NO_NAMES.split())


def shaped_like_a_name(text: str) -> bool:
    """Whether it is none of the ordinary words that have the shape of a name."""
    words = text.lower().replace(".", "").split()
    if text.isascii():
        return words[0] not in _no_names() - _TITLE_WORDS and words[-1] not in _no_names()
    return text not in _ordinary() and text[:2] not in _ordinary()
