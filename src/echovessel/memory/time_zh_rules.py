"""Which Chinese words are parts of a date, in simplified characters and half width.

What looks like one and is none (五一路, 1号线, 每周三, 周末愉快, 以后天天) is kept out by what stands beside it.
"""

from echovessel.memory import time_zh as zh
from echovessel.memory.time_feasts import ZH as FEASTS
from echovessel.memory.time_numbers import HAN_DIGITS
from echovessel.memory.time_rules import Read, Rule, RuleBook
from echovessel.memory.time_span import Rank

_FEAST_MARKS = "灶乞立至分节旦跨年十除宵清端夕秋阳冬腊庆五六双圣平"
"""Every festival's name holds one of them."""

_HAN = f"[{HAN_DIGITS}]"
_NO_NUMBER_BEFORE = rf"(?<![\d{HAN_DIGITS}])"
_NO_COUNT_BEFORE = rf"(?<![\d{HAN_DIGITS}几每半])"
_NO_WORD_BEFORE = rf"(?<![\d{HAN_DIGITS}几半以之然从目先面跟眼当天年月日周])"
_DAY_NUMBER = rf"(?:\d{{1,2}}|{_HAN}{{1,3}})"
_COUNT = rf"(?P<count>\d{{1,3}}|好几|几|两三|三四|三五|四五|五六|七八|半|{_HAN}{{1,3}})"
_UNIT = r"(?P<unit>个月|天|日|个?(?:周|星期|礼拜)|年)"
_WHICH = r"(?P<which>上+一?个?|下+一?个?|这一?个?|本)"
_LUNAR_DAY = rf"初[一二三四五六七八九十]|廿[一二三四五六七八九]|{_HAN}{{1,3}}"
_NOT_A_WEEKDAY = r"(?![次个天顿场十年岁件篇趟起样些直边遍])"
_PARTS = "|".join(sorted((name for name in zh.PARTS if len(name) > 1), key=len, reverse=True))
_FEASTS = "|".join(sorted(FEASTS, key=len, reverse=True))


def _rule(needs: str, source: str, rank: Rank, read: Read, *, weak: bool = False) -> Rule:
    return Rule(source, rank, read, frozenset(needs), weak)


RULES = RuleBook(
    (
        # years
        _rule(
            "年",
            r"(?<!\d)(?P<year>(?:19|20)\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})年(?![代级])",
            Rank.YEAR,
            zh.named_year,
        ),
        _rule(
            "年",
            r"(?<!\d)(?P<year>\d\d)年(?=[春夏秋冬初底末]|\d{1,2}月|[一二三四五六七八九十正腊]{1,2}月)",
            Rank.YEAR,
            zh.named_year,
        ),
        _rule("年", rf"(?:去|今|明|上一|{_NO_WORD_BEFORE}大?[前后])年", Rank.YEAR, zh.relative_year),
        _rule("年", rf"{_NO_NUMBER_BEFORE}(?P<decade>(?:19|20)?\d0|[二三四五六七八九]十)年代", Rank.YEAR, zh.decade),
        _rule(
            "年",
            r"(?<![学新每半])年(?P<phase>[初底末]|中(?![国午间心文级秋学]))(?![一二三恋中级])",
            Rank.PHASE,
            zh.year_phase,
        ),
        _rule("春夏秋冬", r"(?P<season>[春夏秋冬])[天季](?!快乐)", Rank.SEASON, zh.named_season),
        _rule("春夏秋冬", r"(?<=年)(?P<season>[春夏秋冬])", Rank.SEASON, zh.named_season),
        # months
        _rule("月", rf"{_WHICH}月(?![亮饼球台光色经季])", Rank.MONTH, zh.relative_month),
        _rule(
            "月",
            rf"{_NO_COUNT_BEFORE}(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?(?!天(?!气)|[亮饼嫂])",
            Rank.MONTH,
            zh.named_month,
        ),
        _rule("初底末旬", r"(?<=[年月份])(?P<phase>[初底末]|[上中下]旬)(?![一二三恋中级])", Rank.PHASE, zh.in_phase),
        _rule("月", r"(?<!岁)月(?P<phase>[初底末]|[上中下]旬)", Rank.PHASE, zh.month_phase),
        # the Chinese calendar
        _rule("月", r"(?P<month>[正腊])月", Rank.MONTH, zh.lunar_month),
        _rule(
            "月初",
            rf"(?:农历|阴历|旧历)?(?P<leap>闰)?(?P<month>大年(?=初)|(?:正|腊|冬)(?=月)|十[一二]?(?=月[初廿])|[一二三四五六七八九](?=月[初廿]))"
            rf"月?(?P<day>{_LUNAR_DAY})(?![号个])",
            Rank.DAY,
            zh.lunar_day,
        ),
        _rule(
            "月初",
            rf"(?:农历|阴历|旧历)(?:的)?(?P<leap>闰)?(?P<month>十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])月(?P<day>{_LUNAR_DAY}|\d{{1,2}})[日号]?",
            Rank.DAY,
            zh.lunar_day,
        ),
        _rule("月初", r"(?P<leap>闰)?(?P<month>八)月(?P<day>十五)(?![号日个])", Rank.DAY, zh.lunar_day),
        _rule(
            _FEAST_MARKS,
            rf"(?:{_NO_NUMBER_BEFORE}(?<![不难度通经超渡路])(?:{_FEASTS}))(?![路街口班区]|广场|大道|居士|上河|轻|纪|馅|一|二|三|四|五|六|七|八|九|十|\d|零)",
            Rank.DAY,
            zh.feast,
        ),
        _rule(
            "前后",
            r"的?(?P<way>[前后])一个?(?P<unit>[天晚夜周月]|星期|礼拜)",
            Rank.BESIDE,
            zh.beside,
            weak=True,
        ),
        # weeks
        _rule("周星礼", rf"{_WHICH}(?:周(?![围边年期岁转全密到遭末])|星期(?!几)|礼拜)", Rank.WEEK, zh.relative_week),
        _rule(
            "周星礼",
            rf"{_WHICH}(?:周|星期|礼拜)(?P<day>[一二三四五六日]|天(?![气天])){_NOT_A_WEEKDAY}",
            Rank.DAY,
            zh.weekday_of,
        ),
        _rule(
            "周星礼",
            rf"(?P<which>){_NO_COUNT_BEFORE}(?<!每个)(?<!个)(?:周|星期|礼拜)(?P<day>[一二三四五六日]|天(?![气天])){_NOT_A_WEEKDAY}",
            Rank.DAY,
            zh.weekday_of,
        ),
        _rule("末", rf"(?<!每个)(?<![每一到])(?:{_WHICH}?周末)(?!愉快|快乐|好[呀啊！!]?$)", Rank.DAY, zh.weekend_of),
        # days
        _rule("天日儿", r"(?P<day>昨|今|明)(?:天|日(?!头条|方舟)|儿)", Rank.DAY, zh.relative_day),
        _rule("天日儿", rf"{_NO_WORD_BEFORE}(?P<day>大?[前后])天(?![努因性形培天])", Rank.DAY, zh.relative_day),
        _rule(
            "昨今明晚",
            r"(?P<day>昨|今|明|前)(?P<part>晚上|早上|晚|早|夜)(?![安餐饭])",
            Rank.DAY,
            zh.part_of_relative_day,
        ),
        _rule("号日月", rf"(?<=[月份])(?P<day>{_DAY_NUMBER})[号日]", Rank.DAY, zh.day_of_month, weak=True),
        _rule("号日月", r"(?<=[月份])(?P<day>\d{1,2})(?![\d天个点年号日:.次])", Rank.DAY, zh.day_of_month, weak=True),
        _rule(
            "号日",
            rf"(?<=[月份])(?P<first>{_DAY_NUMBER})[号日]?[到至~—–-](?P<last>{_DAY_NUMBER})[号日]",
            Rank.DAY,
            zh.days_of_month,
        ),
        _rule(
            "号日月",
            rf"(?<![\d第月份年{HAN_DIGITS}])(?P<day>{_DAY_NUMBER})号(?=$|[那晚早上下中去来在我你他她们是要会有之前,。.!?！？，、;；\s])",
            Rank.DAY,
            zh.day_of_month,
        ),
        # counted from now
        _rule(
            "前",
            rf"(?<![\d第{HAN_DIGITS}]){_COUNT}多?{_UNIT}[多半]?[之以]?前(?![途夕台方面提者进])",
            Rank.DAY,
            zh.units_ago,
        ),
        _rule("后", rf"(?<![\d第{HAN_DIGITS}]){_COUNT}{_UNIT}[之以]?后(?![天年面方])", Rank.DAY, zh.units_ahead),
        _rule("过", rf"过(?P<count>[两几]){_UNIT}(?![前后])", Rank.DAY, zh.units_soon),
        _rule(
            "近去这",
            rf"(?:最近|近|过去|这)(?!一[天日]){_COUNT}{_UNIT}(?:以?来|之?内|里)?(?![前后])",
            Rank.DAY,
            zh.past_units,
        ),
        _rule("前", r"(?<!之)前(?:几|两|些)(?:天|日子?)", Rank.DAY, zh.days_before),
        _rule("前", r"前(?:阵子|段时间|段日子|些时候)", Rank.DAY, zh.weeks_before),
        _rule("前", r"前(?P<count>[几两])(?P<unit>个月|个?(?:周|星期|礼拜)|年)", Rank.DAY, zh.units_before),
        _rule(
            "前后",
            rf"(?<![\d第{HAN_DIGITS}]){_COUNT}个?(?P<unit>小时|钟头|分钟)[之以]?(?P<way>[前后])",
            Rank.DAY,
            zh.hours_ago,
        ),
        # parts of a day
        _rule("午晚早晨夜", _PARTS, Rank.PART, zh.part_of_day, weak=True),
        _rule(
            "点:",
            rf"{_NO_NUMBER_BEFORE}(?P<hour>\d{{1,2}}|{_HAN}{{1,2}})点钟?整?(?P<minute>半|[一三]刻|{_DAY_NUMBER}(?=分))?分?",
            Rank.CLOCK,
            zh.clock,
            weak=True,
        ),
        _rule("点:", r"(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?!\d)", Rank.CLOCK, zh.clock, weak=True),
    )
)
